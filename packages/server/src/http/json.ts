// JSON as callers send it. A number too large for a double is Infinity after parsing, and refused as
// that; one too small would silently become 0. So it is looked for first, in one walk over the text, and
// put to the parser as one that is too large: a reviver would be called for every value, which takes
// seventy times as long as to parse them.
import { ApiError } from '../contract/errors.ts'

const TOO_LARGE = '1e999'
const LIKE_A_NUMBER = /[-+.\deE]+/y
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/
const MORE_THAN_ZERO = /^-?[0.]*[1-9]/

/** Throws a VALIDATION_ERROR whose message begins with `what` was sent, such as "The body". */
export function readJson(bytes: Buffer, what: string): unknown {
  const text = decoded(bytes)
  if (text === undefined) throw invalid(`${what} is not valid UTF-8.`)
  try {
    return parseJson(text)
  } catch {
    // The parser's own message quotes the text, which must not reach a log.
    throw invalid(`${what} is not valid JSON.`)
  }
}

const invalid = (message: string): ApiError => new ApiError('VALIDATION_ERROR', { message })

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Throws a SyntaxError. Numbers outside the double range are not finite. */
export const parseJson = (text: string): unknown => JSON.parse(withoutUnderflow(text))

function withoutUnderflow(text: string): string {
  let checked = ''
  let from = 0
  for (let at = 0; at < text.length; ) {
    const sign = text.charAt(at)
    if (sign === '"') {
      at = endOfString(text, at)
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      LIKE_A_NUMBER.lastIndex = at
      const number = LIKE_A_NUMBER.exec(text)?.[0] ?? sign
      if (isTooSmall(number)) {
        checked += text.slice(from, at) + TOO_LARGE
        from = at + number.length
      }
      at += number.length
    } else {
      at += 1
    }
  }
  return checked + text.slice(from)
}

/** What JSON does not take for a number stays, for the parser to refuse. */
const isTooSmall = (number: string): boolean =>
  Number(number) === 0 && MORE_THAN_ZERO.test(number) && NUMBER.test(number)

/** Behind the quotation mark that ends it, before which there is an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charAt(end - escapes - 1) === '\\') escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}
