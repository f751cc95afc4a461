/**
 * The parameters of the three lists: what is refused and with which field, what is harmless, and
 * that a filter which cannot be understood never widens the list.
 */
import { describe, expect, test } from 'vitest'
import { expectError, expectInvalid } from './harness/errors.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()

const lists = ['/v1/memories', '/v1/entities', '/v1/relations']
const blank = '%20%09'
const long = 'x'.repeat(257)

describe.each(lists)('GET %s', (path) => {
  test.each(
    ['0', '-1', '01', '1.0', '1e1', '+1', '%201', '1%20', '', 'x', '0x1', '१', 'NaN'].map(quoted),
  )('%s is refused as page and as limit', async (_what, value) => {
    expectInvalid(await client.get(`${path}?page=${value}`), 'page')
    expectInvalid(await client.get(`${path}?limit=${value}`), 'limit')
  })

  test('a page over 1,000,000 and a limit over 100 are refused', async () => {
    expectInvalid(await client.get(`${path}?page=1000001`), 'page')
    expectInvalid(await client.get(`${path}?page=9223372036854775808`), 'page')
    expectInvalid(await client.get(`${path}?limit=101`), 'limit')
  })

  test('a page of 1,000,000 and a limit of 100 are taken', async () => {
    const answer = await client.get(`${path}?page=1000000&limit=100`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ items: [], pagination: { page: 1_000_000, limit: 100 } })
    expect((await client.get(`${path}?limit=1`)).status).toBe(200)
  })

  test('a known parameter that is given twice is refused, equal or not', async () => {
    expectInvalid(await client.get(`${path}?page=1&page=2`), 'page')
    expectInvalid(await client.get(`${path}?limit=5&page=1&limit=5`), 'limit')
  })

  test('unknown parameters are ignored, however often they are given', async () => {
    const answer = await client.get(`${path}?sort=asc&cursor=&x[]=1&x[]=2&sort=desc&__proto__=1`)
    expect(answer.status).toBe(200)
  })
})

describe('filters of lists', () => {
  test.each([
    ['/v1/memories', 'userId'],
    ['/v1/memories', 'agentId'],
    ['/v1/relations', 'sourceId'],
    ['/v1/relations', 'targetId'],
  ])('GET %s refuses an empty, blank, over-long or repeated %s', async (path, field) => {
    for (const value of ['', blank, long]) {
      expectInvalid(await client.get(`${path}?${field}=${value}`), field)
    }
    expectInvalid(await client.get(`${path}?${field}=a&${field}=b`), field)
    expectInvalid(await client.get(`${path}?${field}=a&${field}=a`), field)
    expect((await client.get(`${path}?${field}=${long.slice(1)}`)).status).toBe(200)
  })

  test('a tags parameter in which no tag is left is refused', async () => {
    for (const value of ['', ',', blank, '%20,,%20', ',,,']) {
      expectInvalid(await client.get(`/v1/memories?tags=${value}`), 'tags')
    }
  })

  test('a filter in brackets, as HTTP libraries write lists, is refused', async () => {
    expectInvalid(await client.get('/v1/memories?tags[]=a&tags[]=b'), 'tags')
    expectInvalid(await client.get('/v1/memories?userId%5B%5D=a'), 'userId')
  })

  test('a tags parameter outside the bounds of tags is refused', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `t${index}`)
    expectInvalid(await client.get(`/v1/memories?tags=${many.join(',')}`), 'tags')
    expectInvalid(await client.get(`/v1/memories?tags=ok,${'t'.repeat(129)}`), 'tags')
    expectInvalid(await client.get('/v1/memories?tags=a&tags=b'), 'tags')
    const fifty = many.slice(1).join(',')
    expect((await client.get(`/v1/memories?tags=${fifty}`)).status).toBe(200)
    const same = Array.from({ length: 50 }, () => 't').join(',')
    expect((await client.get(`/v1/memories?tags=${same}`)).status).toBe(200)
    expectInvalid(await client.get(`/v1/memories?tags=${same},t`), 'tags')
  })

  test('a type filter of entities must be one of the seven types', async () => {
    for (const value of ['', 'person', 'PERSON%20', 'PEOPLE', 'PERSON,EVENT']) {
      expectError(await client.get(`/v1/entities?type=${value}`), 'INVALID_ENTITY_TYPE')
    }
    expect((await client.get('/v1/entities?type=OTHER')).status).toBe(200)
  })

  test('a type filter that no relation could have is INVALID_RELATION_TYPE', async () => {
    for (const value of ['', '1ST', 'A%20B', 'A-B', 'T'.repeat(65), '%C3%84']) {
      expectError(await client.get(`/v1/relations?type=${value}`), 'INVALID_RELATION_TYPE')
    }
    expect((await client.get(`/v1/relations?type=${'T'.repeat(64)}`)).status).toBe(200)
  })

  test('a name search of more than 256 characters is refused', async () => {
    expectInvalid(await client.get(`/v1/entities?search=${long}`), 'search')
    const faces = encodeURIComponent('😀'.repeat(256))
    expect((await client.get(`/v1/entities?search=${faces}`)).status).toBe(200)
    expectInvalid(await client.get('/v1/entities?search=a&search=b'), 'search')
  })

  test('parameters are read as UTF-8 with percent-encoding, plus meaning a space', async () => {
    const body = { name: 'Søren + Åse & co', type: 'PERSON' }
    expect((await client.post('/v1/entities', body)).status).toBe(201)
    for (const value of ['S%C3%B8ren+%2B+%C3%85se+%26', 'S%c3%b8ren%20%2B%20%C3%85se']) {
      const answer = await client.get(`/v1/entities?search=${value}&limit=1`)
      expect(answer.text).toContain(body.name)
    }
  })

  test('a parameter is known by its name however that is encoded', async () => {
    expectInvalid(await client.get('/v1/memories?user%49d='), 'userId')
    expectInvalid(await client.get('/v1/memories?userId'), 'userId')
    expectInvalid(await client.get('/v1/entities?page=1&pag%65=1'), 'page')
  })

  test('when several parameters are wrong, the first of the table is reported', async () => {
    const memories = (query: string) => client.get(`/v1/memories?${query}`)
    expectInvalid(await memories('limit=0&page=0&tags=&agentId=&userId='), 'userId')
    expectInvalid(await memories('limit=0&page=0&tags=&agentId='), 'agentId')
    expectInvalid(await memories('limit=0&page=0&tags='), 'tags')
    expectInvalid(await memories('limit=0&page=0'), 'page')
    const entities = (query: string) => client.get(`/v1/entities?${query}`)
    expectError(await entities(`limit=0&search=${long}&type=x`), 'INVALID_ENTITY_TYPE')
    expectInvalid(await entities(`limit=0&page=0&search=${long}`), 'search')
    const relations = (query: string) => client.get(`/v1/relations?${query}`)
    expectInvalid(await relations('page=0&type=-&targetId=&sourceId='), 'sourceId')
    expectInvalid(await relations('page=0&type=-&targetId='), 'targetId')
    expectError(await relations('limit=0&page=0&type=-'), 'INVALID_RELATION_TYPE')
  })
})

function quoted(value: string): [string, string] {
  return [JSON.stringify(value), value]
}
