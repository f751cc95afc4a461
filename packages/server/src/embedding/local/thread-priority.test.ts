import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

/** A thread that steps back, and tells its priority before and after. */
function steppingBack(): Worker {
  const file = new URL('./thread-priority.ts', import.meta.url).href
  const code = `
    import { getPriority } from 'node:os'
    import { parentPort } from 'node:worker_threads'
    import { stepBehindOtherThreads } from '${file}'
    const before = getPriority()
    stepBehindOtherThreads()
    parentPort.postMessage([before, getPriority()])`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
}

test.runIf(process.platform === 'linux')(
  'a thread that steps back leaves the others where they were',
  async () => {
    const before = getPriority()
    const [[started, ended]] = await once(steppingBack(), 'message')
    expect(started).toBe(before)
    expect(ended).toBe(Math.min(before + 5, 19))
    expect(getPriority()).toBe(before)
  },
)
