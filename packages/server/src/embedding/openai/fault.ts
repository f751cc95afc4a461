// Why there was no answer, in a word: the code of the innermost cause. Unlike its message, which may
// repeat what was sent, a code can be shown to anybody.
import { errorCodeOf } from '../../error-code.ts'

export const TIMEOUT = 'timeout'
/** Messages of causes without a code. `bad port` is what fetch says of ports that it asks nobody at. */
const WORDS = [TIMEOUT, 'bad port']

/** Undefined when no cause has a code. */
export function faultIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const inner = faultIn(error.cause)
  if (inner !== undefined) return inner
  return errorCodeOf(error) || WORDS.find((word) => word === error.message)
}
