// What is said of long work that was stopped or interrupted, and that the same command goes on with.
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { StoreError } from '../storage/store.ts'
import { CommandFailure } from './failure.ts'

const GO_ON = 'What is done is kept: run the same command again to go on.'

export const interrupted = (reason: string): CommandFailure =>
  new CommandFailure(`${reason} ${GO_ON}`)

/** What kept the model or the store from going on; any other error as it is. */
export function explainedInterruption(error: unknown): unknown {
  if (error instanceof EmbedderUnavailable) {
    return interrupted(`The model does not answer any more. ${error.reason}`)
  }
  if (!(error instanceof StoreError)) return error
  if (error.kind === 'full') return interrupted('There is no room left on the disk.')
  if (error.kind === 'unavailable') return interrupted('The database does not answer any more.')
  return error
}
