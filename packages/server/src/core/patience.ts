// Work for which nobody waits goes on when the model is back: an absence of a moment, or what a service takes in
// a minute, does not end what takes hours.
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbedderUnavailable } from '../embedding/embedder.ts'

/** In two minutes, since many services take so much a minute. */
const RETRIES = 7
const RETRY_MS = 1_000

export type Patience = {
  /** Ends any wait at once. */
  stop: AbortSignal
  /** The model is away, and asked again a while later. For each try of each text. */
  onAway: (why: EmbedderUnavailable) => void
}

/** Rejects with the EmbedderUnavailable that came last, with what else went wrong, or with an AbortError. */
export async function patiently<Result>(
  { stop, onAway }: Patience,
  ask: () => Promise<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await ask()
    } catch (error) {
      const mayPass = error instanceof EmbedderUnavailable && error.isTransient
      if (!mayPass || retries === RETRIES) throw error
      onAway(error)
      await sleep(RETRY_MS * 2 ** retries, undefined, { signal: stop })
    }
  }
}
