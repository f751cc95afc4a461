// A range of proxies is accepted exactly when the server can use it: the framework is asked beside it each
// time, for any address and mask.
import fc from 'fast-check'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { isProxyRange } from './trusted-proxies.ts'

const isTaken = (text: string): boolean => {
  try {
    fastify({ trustProxy: [text] })
    return true
  } catch {
    return false
  }
}

test.each([
  'loopback',
  'linklocal',
  'uniquelocal',
  '10.0.0.2',
  '10.0.0.0/8',
  '10.0.0.0/32',
  '10.0.0.0/255.0.0.0',
  '::1',
  'fc00::/7',
  '2001:db8::/128',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  'fe80::1%eth0/64',
])('%s names proxies', (text) => {
  expect([isProxyRange(text), isTaken(text)]).toEqual([true, true])
})

test.each([
  'foo',
  'Loopback',
  'localhost',
  '10.0.0.0/40',
  '10.0.0.0/-1',
  '10.0.0.0/0',
  '::/0',
  '::/129',
  '10.0.0.1/',
  '10.0.0.0/8/8',
  '10.0.0.0/255.0.255.0',
  '10.0.0.0/0.0.0.0',
  '::ffff:10.0.0.0/255.0.0.0',
  'fe80::1%eth-0',
  '[::1]',
  '10.0.0.256',
  '10.0.0.1:80',
])('%s names none', (text) => {
  expect([isProxyRange(text), isTaken(text)]).toEqual([false, false])
})

test('what is taken for an address or a range, the server can use', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((text) => `::ffff:${text}`),
  )
  const behind = fc.oneof(
    fc.constant(''),
    fc.integer({ min: -1, max: 200 }).map((bits) => `/${bits}`),
    fc.ipV4().map((mask) => `/${mask}`),
  )
  fc.assert(
    fc.property(address, behind, (start, end) => {
      expect(isTaken(start + end)).toBe(isProxyRange(start + end))
    }),
    { numRuns: 300 },
  )
})
