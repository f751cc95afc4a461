// Ends a worker of the pool. A thread that is ended inside the runtime of the model takes the whole process
// down, so it may finish what it is doing. One that does not answer hangs either in a loop, where ending it does
// no harm, or in native code, where nothing can end it.
import { once } from 'node:events'
import type { Slot } from './worker-slot.ts'

/** `timeoutMs` is for what it is doing, and once more for its thread. Rejects when it does not end. */
export async function endWorker<Job, Result>(
  slot: Slot<Job, Result>,
  timeoutMs: number,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const over = () => 'over' as const
  const ended = once(slot.worker, 'exit', { signal }).then(over, over)
  while (!slot.ready || slot.sent.length > 0) {
    const said = once(slot.worker, 'message', { signal }).catch(over)
    if ((await Promise.race([said, ended])) === 'over') break
  }
  const { promise: late, reject } = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => reject(new Error('An embedding worker does not end: it is in native code.')),
    timeoutMs,
  )
  await Promise.race([slot.worker.terminate(), late])
  clearTimeout(deadline)
}
