// JSON as callers send it. A number too large for a double is Infinity after parsing, and refused as
// that; one too small would silently become 0. So it is looked for first, in one walk over the text, and
// put to the parser as one that is too large: a reviver would be called for every value, which takes
// seventy times as long as to parse them.
import { ApiError } from '../../contract/errors.ts'
import { withoutUnderflow } from './no-underflow.ts'

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
