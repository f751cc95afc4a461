// Whose X-Forwarded-For may be believed: an address, a range, or a name for ranges, as the HTTP layer reads them.
// Checked with the other settings, since that layer reads them only once the store is open, and ends the start
// with a stack when it cannot.
import { isIPv4, isIPv6 } from 'node:net'

const NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']
const RANGE = /^(?<address>[0-9a-f.:]+(?:%[0-9a-z]+)?)(?:\/(?:(?<bits>\d{1,3})|(?<mask>[\d.]+)))?$/i

export const PROXY_RANGES =
  'addresses, ranges such as 10.0.0.0/8 or fc00::/7, or one of ' +
  `${NAMES.join(', ')}, separated by commas`

export function isProxyRange(text: string): boolean {
  if (NAMES.includes(text)) return true
  const { address = '', bits, mask } = RANGE.exec(text)?.groups ?? {}
  if (!isIPv4(address) && !isIPv6(address)) return false
  if (mask !== undefined) return isIPv4(address) && isMask(mask)
  const bitsMax = isIPv4(address) ? 32 : 128
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= bitsMax)
}

/** Ones, then zeros. */
function isMask(text: string): boolean {
  if (!isIPv4(text)) return false
  const bits = text.split('.').map((byte) => Number(byte).toString(2).padStart(8, '0'))
  return /^1+0*$/.test(bits.join(''))
}
