// What a person reads, and with which status the process ends, when a command fails. What people can do
// something about is one sentence. Anything else comes with its stack and with what caused it: a store
// says no more than its kind, and its cause is what names the permission or the disk.
// decisions/2026-11-21-command-line.md
import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { EmbedderRefusal } from '../embedding/embedder.ts'
import { StoreError, StoreRefusal } from '../storage/store.ts'
import { EXIT_FAILURE, EXIT_USAGE } from './exit.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { OutputClosed } from './output.ts'

/** Without a text when nothing is to be said, or was said already. */
type Outcome = { status: number; text?: string }

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof OutputClosed) return { status: 0 }
  if (error instanceof CommanderError) {
    return { status: error.exitCode === 0 ? 0 : EXIT_USAGE }
  }
  if (error instanceof ConfigError || error instanceof UsageFailure) {
    return { status: EXIT_USAGE, text: error.message }
  }
  return { status: EXIT_FAILURE, text: isForPeople(error) ? error.message : described(error) }
}

const isForPeople = (error: unknown): error is Error =>
  error instanceof StoreRefusal ||
  error instanceof EmbedderRefusal ||
  error instanceof CommandFailure

function described(error: unknown): string {
  if (error instanceof StoreError && error.kind === 'full') {
    return 'There is no room left on the disk of the store. Make room, then run it again.'
  }
  if (error instanceof StoreError && error.kind === 'unavailable') {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return `The store does not answer${reason}. Run it again in a moment.`
  }
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\ncaused by: ${error.cause.message}` : stack
}
