// Whatever a request's address, the router gets one that it can decode; an ordinary one stays as it is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { routableUrl, splitUrl } from './routable-url.ts'

test('an ordinary address stays as it is', () => {
  for (const url of ['/v1/memories', '/v1/memories/a%2Fb?x=%zz#y', '/?', '/v1//x/']) {
    expect(routableUrl(url)).toBe(url)
  }
})

test('the absolute form means its path', () => {
  expect(routableUrl('http://host:80/v1/memories?limit=1')).toBe('/v1/memories?limit=1')
  expect(routableUrl('HTTPS://host/v1')).toBe('/v1')
  expect(routableUrl('http://host')).toBe('/')
  expect(routableUrl('http://host?a=b')).toBe('/?a=b')
})

test('an address within the query is left alone', () => {
  expect(routableUrl('/v1/memories?userId=http://x/y')).toBe('/v1/memories?userId=http://x/y')
})

test('an undecodable path is looked up literally, and its query stays as it is', () => {
  expect(routableUrl('/v1/memories/%ff%41?a=%ff')).toBe('/v1/memories/%25ff%2541?a=%ff')
})

test('a hash sign belongs to the path and hides no query', () => {
  expect(routableUrl('/v1/memories#?userId=a')).toBe('/v1/memories%23?userId=a')
})

test('an address without a leading slash is routed as a path', () => {
  expect(routableUrl('*')).toBe('/*')
  expect(routableUrl('ftp://x/v1/memories')).toBe('/ftp://x/v1/memories')
})

test('whatever the address was, the router can decode what it gets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (url) => {
      const [path] = splitUrl(routableUrl(url))
      expect(path.startsWith('/')).toBe(true)
      expect(() => decodeURIComponent(path)).not.toThrow()
    }),
  )
})

test('the two parts of an address make the whole again', () => {
  expect(splitUrl('/a?b?c')).toEqual(['/a', '?b?c'])
  expect(splitUrl('/a')).toEqual(['/a', ''])
})
