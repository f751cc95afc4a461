// Work that a start leaves to a quieter time: it is tried again, a while later, after each failure and as long as
// it is not done, which may be because another instance is at it.
import { setTimeout as sleep } from 'node:timers/promises'

export type Around = {
  /** Then it leaves the rest to the next start. */
  signal: AbortSignal
  /** Hears of each failure. */
  onError: (error: unknown) => void
  againMs?: number
}

/** Resolves when it is done, or with the signal. */
export async function tryUntilDone(
  isDone: () => Promise<boolean>,
  { signal, onError, againMs = 60_000 }: Around,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await isDone()) return
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    await sleep(againMs, undefined, { signal }).catch(() => undefined)
  }
}
