// What a server says about one line of an import, or at its end, as far as a sender has to know it. Its
// texts are shown to people, and what answers at an address may be anything: no terminal obeys them.
import { Type } from 'typebox'
import { ERRORS, isErrorCode } from '../../../contract/errors.ts'
import { fits } from '../../../fits.ts'
import { parsedJson } from '../../../parsed-json.ts'
import { CommandFailure, RefusedKey } from '../../failure.ts'
import { printable } from '../../printable.ts'

export type Answer =
  | { kind: 'created' | 'repeated' }
  | { kind: 'refused'; code: string; error: Record<string, unknown> }
  /** `stopped` says why it came before the end of the lines. */
  | { kind: 'end'; stopped: string | undefined }

const ErrorText = Type.Object({ code: Type.String(), message: Type.String() })
const Stored = Type.Object({ id: Type.String(), repeated: Type.Optional(Type.Boolean()) })
const Refused = Type.Object({ error: ErrorText })
const Summary = Type.Object({ summary: Type.Object({ stopped: Type.Optional(ErrorText) }) })

/** Throws a RefusedKey when the key does not hold any more, a CommandFailure when no import says such a thing. */
export function readAnswer(line: unknown): Answer {
  if (fits(Summary, line)) {
    const { stopped } = line.summary
    return { kind: 'end', stopped: stopped && printable(stopped.message) }
  }
  if (fits(Stored, line)) return { kind: line.repeated === true ? 'repeated' : 'created' }
  if (!fits(Refused, line)) throw new CommandFailure('What answers is no Mnemograph.')
  const { error } = line
  if (statusOf(error.code) === 401) throw new RefusedKey(printable(error.message))
  return { kind: 'refused', code: error.code, error: withPrintableTexts(error) }
}

const withPrintableTexts = (error: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(error).map(([name, value]) => [
      name,
      typeof value === 'string' ? printable(value) : value,
    ]),
  )

/** The text of an answer that refuses the whole import; undefined when it is somebody else's. */
export function refusalText(body: string): string | undefined {
  const answer = parsedJson(body)
  return fits(Refused, answer) ? printable(answer.error.message) : undefined
}

/** Whether a line was refused through no fault of its own. */
export const isOfTheServer = (code: string): boolean => statusOf(code) >= 500

const statusOf = (code: string): number => (isErrorCode(code) ? ERRORS[code].status : 400)
