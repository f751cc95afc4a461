// What commands print. Whoever stops reading, as `head` does, ends a command without a word; what cannot
// be written for another reason is told in one line. What is shown only once is never lost in silence.
// decisions/2026-11-21-command-line.md
import { errorCodeOf } from '../error-code.ts'
import { CommandFailure } from './failure.ts'

/** What a command is told by --json: to print for a program, and not for people. */
export type Printed = { json?: boolean }

/** Nobody reads any more, and that is nobody's fault. */
export class OutputClosed extends Error {}

/** Resolves when it is written. Throws an OutputClosed, or a CommandFailure that says why it is not. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve()
      else if (errorCodeOf(error) === 'EPIPE') reject(new OutputClosed(error.message))
      else reject(new CommandFailure(`The output cannot be written (${error.message}).`))
    })
  })
}

/** For what nobody can show again: throws a CommandFailure with what to do, also when nobody reads. */
export async function printSecret(text: string, whenLost: string): Promise<void> {
  try {
    await print(text)
  } catch (error) {
    const reason = error instanceof CommandFailure ? error.message : 'Nobody reads the output.'
    throw new CommandFailure(`${reason} ${whenLost}`)
  }
}

export const whenKeyIsLost = (id: string): string =>
  `The key ${id} was made, and nobody has seen it: revoke it with "mnemograph keys revoke ${id}".`

/**
 * A write that fails is heard of by whoever wrote; without this it would also end the process with a stack.
 * A message that cannot be written to stderr cannot be told to anybody, and the work goes on without.
 */
export function hearBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
