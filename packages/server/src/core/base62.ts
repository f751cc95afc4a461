// Numbers as text of fixed width in digits and letters. The alphabet is in ASCII order, so that texts of one
// width sort like the numbers. Every request makes such a text or two. Big integers would do it in a line, but
// leave kilobytes to be collected each time, and take half as long again.

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** So many digits are divided off at once. */
const DIGITS = 5
const DIVISOR = 62 ** DIGITS

/** `bytes`: the number, its greatest byte first. It has to fit into `width` digits. */
export function toBase62(bytes: Uint8Array, width: number): string {
  const rest = new Uint8Array(bytes)
  let text = ''
  while (text.length < width) {
    let remainder = 0
    for (let at = 0; at < rest.length; at += 1) {
      const value = remainder * 256 + (rest[at] ?? 0)
      const quotient = Math.floor(value / DIVISOR)
      rest[at] = quotient
      remainder = value - quotient * DIVISOR
    }
    text = digitsOf(remainder) + text
  }
  return text.slice(-width)
}

function digitsOf(number: number): string {
  let text = ''
  for (let left = number, count = 0; count < DIGITS; count += 1) {
    text = ALPHABET.charAt(left % 62) + text
    left = Math.floor(left / 62)
  }
  return text
}
