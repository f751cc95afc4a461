// Which addresses count as one caller: an IPv4 address by itself, an IPv6 address with its /64,
// since whoever has one address of a /64 has all of them. Some proxies write the port beside the
// address that they forward, which would make every connection another caller; others write
// something that is no address at all, which then says as much as nothing.
// decisions/2026-11-21-failed-authentication-bucket.md
import { isIPv4, isIPv6 } from 'node:net'

/** Brackets and a port may stand round an IPv6 address, a port behind an IPv4 address. */
const BRACKETED = /^\[(.*)\](?::\d+)?$/
const WITH_PORT = /^([\d.]+):\d+$/

type Requester = { ip: string | undefined; socket: { remoteAddress?: string | undefined } }

/** What a proxy names that is no address counts as the proxy, all of it together. */
export const callerBucket = ({ ip, socket }: Requester): string =>
  addressBucket(ip) ?? addressBucket(socket.remoteAddress) ?? 'nobody'

/** Undefined for what is no address. */
export function addressBucket(text = ''): string | undefined {
  const address = BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = expand(address.replace(/%.*$/, ''))
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return toIPv4(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Of a bucket: an IPv6 one by its /48, which is what a site is given. */
export const networkOf = (bucket: string): string =>
  bucket.replace(/^((?:[^:]+:){3})[^:]+::\/64$/, '$1:/48')

const toIPv4 = (groups: string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 0xff])
    .join('.')

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(address: string): string[] {
  const [head = '', tail] = toGroups(address).split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...(tail === undefined ? [] : zeros), ...after].map((group) =>
    group.replace(/^0+(?=.)/, '').toLowerCase(),
  )
}

/** The same address, with two groups in the place of a dotted end. */
const toGroups = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
