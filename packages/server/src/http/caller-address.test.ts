// Addresses that one party holds share a bucket, however they are written, and what is no address opens none
// of its own: otherwise limits by address could be walked around.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressBucket, callerBucket, networkOf } from './caller-address.ts'

test('an IPv4 address is a bucket of its own', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(addressBucket(address)).toBe(address)
    }),
  )
})

test('an IPv4 address means the same when it is written as IPv6, dotted or in groups', () => {
  expect(addressBucket('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(addressBucket('::FFFF:192.0.2.7')).toBe('192.0.2.7')
  expect(addressBucket('::ffff:c000:207')).toBe('192.0.2.7')
  expect(addressBucket('0:0:0:0:0:ffff:c000:0207')).toBe('192.0.2.7')
})

test('all addresses of a /64 share one bucket, however they are written', () => {
  const network = '2001:db8:0:1::/64'
  expect(addressBucket('2001:db8:0:1::')).toBe(network)
  expect(addressBucket('2001:db8:0:1::ffff')).toBe(network)
  expect(addressBucket('2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd')).toBe(network)
  expect(addressBucket('2001:db8:0:1:1:2:192.0.2.7')).toBe(network)
})

test('a site holds the /64 of its /48, and an IPv4 address holds itself', () => {
  expect(networkOf('2001:db8:0:1::/64')).toBe('2001:db8:0::/48')
  expect(networkOf('2001:db8:0:ffff::/64')).toBe('2001:db8:0::/48')
  expect(networkOf('2001:db8:1:1::/64')).toBe('2001:db8:1::/48')
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('nobody')).toBe('nobody')
})

test('two addresses share a bucket exactly when their first four groups are equal', () => {
  const group = fc.integer({ min: 0, max: 3 })
  const groups = fc.array(group, { minLength: 8, maxLength: 8 })
  const text = (parts: number[]) => parts.map((part) => part.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      const same = one.slice(0, 4).every((part, index) => part === other[index])
      expect(addressBucket(text(one)) === addressBucket(text(other))).toBe(same)
    }),
  )
})

test('the zone of a link-local address does not matter', () => {
  expect(addressBucket('fe80::1%eth0')).toBe(addressBucket('fe80::2%wlan0'))
  expect(addressBucket('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(addressBucket('fe80::%a:b:c:d:e:f')).toBe('fe80:0:0:0::/64')
  expect(addressBucket('::ffff:192.0.2.7%eth0')).toBe('192.0.2.7')
})

test('the loopback addresses of both families have buckets', () => {
  expect(addressBucket('127.0.0.1')).toBe('127.0.0.1')
  expect(addressBucket('::1')).toBe('0:0:0:0::/64')
})

test('the port and the brackets that some proxies write do not matter', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), fc.nat(65_535), (four, six, port) => {
      expect(addressBucket(`${four}:${port}`)).toBe(four)
      expect(addressBucket(`[${six}]`)).toBe(addressBucket(six))
      expect(addressBucket(`[${six}]:${port}`)).toBe(addressBucket(six))
    }),
  )
  expect(addressBucket('[::ffff:192.0.2.7]:443')).toBe('192.0.2.7')
  expect(addressBucket('[fe80::1%eth0]:443')).toBe('fe80:0:0:0::/64')
})

test.each([
  'unknown',
  '',
  '_hidden',
  '192.0.2.7:port',
  '192.0.2',
  '[192.0.2.7',
  '[]:1',
  'host.example:443',
  '2001:db8:0:1:2:3:4:5:443',
])('%j is no address, and opens no bucket of its own', (text) => {
  expect(addressBucket(text)).toBe(undefined)
  expect(callerBucket({ ip: text, socket: { remoteAddress: '192.0.2.9' } })).toBe('192.0.2.9')
})

test('a caller is known by the address that a proxy names, and without one by that of the proxy', () => {
  const socket = { remoteAddress: '::ffff:192.0.2.9' }
  expect(callerBucket({ ip: '198.51.100.1:4711', socket })).toBe('198.51.100.1')
  expect(callerBucket({ ip: 'unknown', socket })).toBe('192.0.2.9')
})

test('a connection that is closed already, and has no address any more, has a bucket', () => {
  const socket = { remoteAddress: undefined }
  expect(callerBucket({ ip: 'unknown', socket })).toBe('nobody')
})
