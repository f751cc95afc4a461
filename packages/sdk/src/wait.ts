// Waiting that ends at once when the caller gives up, and leaves no listener and no timer behind.
import { whenAborted } from './when-aborted.ts'

export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Rejects with the signal's reason. */
export const wait: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      stopWaiting()
      resolve()
    }, ms)
    const stopWaiting = whenAborted(signal, () => {
      clearTimeout(timer)
      stopWaiting()
      reject(signal?.reason)
    })
  })
