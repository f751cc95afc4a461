// Ends a worker of the pool. A thread that is ended inside the runtime of the model takes the whole process
// down, so it may finish what it is doing. Where others have the cores, to load a model takes many seconds: as
// long as it does, the worker is not ended. One that does not answer later hangs either in a loop, where ending
// it does no harm, or in native code, where nothing can end it.
import { once } from 'node:events'
import type { Slot } from './worker-slot.ts'

type Patience = {
  /** For one that is not ready yet to become it. */
  loadTimeoutMs: number
  /** For what it is doing, and once more for its thread. */
  endTimeoutMs: number
}

/** Rejects when it does not end by then. One that still loads ends when it has, however late. */
export async function endWorker<Job, Result>(
  slot: Slot<Job, Result>,
  { loadTimeoutMs, endTimeoutMs }: Patience,
): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => reject(new Error('An embedding worker does not end: it is in native code.')),
    2 * endTimeoutMs + (slot.ready ? 0 : loadTimeoutMs),
  )
  await Promise.race([endInOrder(slot, endTimeoutMs), late])
  clearTimeout(deadline)
}

async function endInOrder<Job, Result>(slot: Slot<Job, Result>, timeoutMs: number): Promise<void> {
  const { worker } = slot
  const over = () => 'over' as const
  const said = (signal?: AbortSignal) => once(worker, 'message', { signal }).catch(over)
  const ended = (signal?: AbortSignal) => once(worker, 'exit', { signal }).then(over, over)
  if (!slot.ready) await Promise.race([said(), ended()])
  const signal = AbortSignal.timeout(timeoutMs)
  const end = ended(signal)
  while (slot.sent.length > 0) {
    if ((await Promise.race([said(signal), end])) === 'over') break
  }
  await worker.terminate()
}
