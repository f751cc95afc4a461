// Waiting that ends at once when the caller gives up, and leaves no listener and no timer behind.

export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Rejects with the signal's reason. */
export const wait: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    if (signal?.aborted) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
