// What a server says about one line of an import, or at its end, as far as a sender has to know it.
import { ERRORS, isErrorCode } from '../../contract/errors.ts'
import { CommandFailure } from '../failure.ts'

export type Answer =
  | { kind: 'created' | 'repeated' }
  | { kind: 'refused'; code: string; error: Record<string, unknown> }
  /** `stopped` says why it came before the end of the lines. */
  | { kind: 'end'; stopped: string | undefined }

/** Throws a CommandFailure when the key does not hold any more. */
export function readAnswer(line: unknown): Answer {
  const { id, repeated, error, summary } = Object(line)
  if (summary !== undefined) return { kind: 'end', stopped: Object(summary).stopped?.message }
  if (id !== undefined) return { kind: repeated === true ? 'repeated' : 'created' }
  const code = String(Object(error).code)
  if (statusOf(code) === 401) throw new CommandFailure(String(Object(error).message))
  return { kind: 'refused', code, error: Object(error) }
}

/** Whether a line was refused through no fault of its own. */
export const isOfTheServer = (code: string): boolean => statusOf(code) >= 500

const statusOf = (code: string): number => (isErrorCode(code) ? ERRORS[code].status : 400)
