// Whatever becomes of a worker, other jobs are done, what is urgent goes first, and nobody waits for ever.
// The workers are real threads that do as a job tells them: what ends a thread cannot be played.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { EmbedderUnavailable } from '../embedder.ts'
import { newPool, startedPool } from './testing/obedient-pool.ts'

describe('a worker that dies', () => {
  test.each(['crash', 'exit'] as const)(
    'by %s fails its own job only, and is replaced',
    async (end) => {
      const { pool, starts } = await startedPool()
      const jobs = [pool.run('echo', 'patient'), pool.run(end, 'patient')]
      const after = [pool.run('echo', 'patient'), pool.run('echo', 'urgent')]
      await expect(jobs[1]).rejects.toBeInstanceOf(EmbedderUnavailable)
      const [before] = await Promise.all([jobs[0], ...after])
      expect((await after[0])?.threadId).not.toBe(before?.threadId)
      expect(starts()).toBe(2)
    },
  )

  test('leaves the other workers at work', async () => {
    const { pool } = await startedPool({ workers: 2, restartDelayMs: 3_600_000 })
    await expect(pool.run('crash', 'patient')).rejects.toBeInstanceOf(EmbedderUnavailable)
    await expect(pool.run('echo', 'patient')).resolves.toBeDefined()
    expect(pool.isReady()).toBe(true)
  })

  test('makes the pool not ready until its replacement is', async () => {
    const { pool } = await startedPool({ restartDelayMs: 20 })
    await expect(pool.run('crash', 'patient')).rejects.toThrow()
    expect(pool.isReady()).toBe(false)
    await expect.poll(() => pool.isReady()).toBe(true)
  })
})

describe('a worker that hangs', () => {
  test('is given up on after the time for a job that it had at hand, and the next job goes on', async () => {
    const { pool, starts } = await startedPool({ jobTimeoutMs: 500 })
    const before = pool.run('echo', 'patient')
    const hanging = pool.run('hang', 'patient')
    const next = pool.run('echo', 'patient')
    await expect(hanging).rejects.toMatchObject({
      name: 'EmbedderUnavailable',
      cause: { message: 'An embedding worker took too long.' },
    })
    await expect(Promise.all([before, next])).resolves.toHaveLength(2)
    expect(starts()).toBe(2)
  })

  test('is judged by the time of its job, not by the time that the job has waited', async () => {
    const { pool, starts } = await startedPool({ jobTimeoutMs: 1_000 })
    const jobs = Array.from({ length: 8 }, () => pool.run({ sleepMs: 200 }, 'patient'))
    await expect(Promise.all(jobs)).resolves.toHaveLength(8)
    expect(starts()).toBe(1)
  })

  test('at its start is given up on as well', async () => {
    const { pool } = newPool({ heldAtStart: true, startTimeoutMs: 100, endTimeoutMs: 20_000 })
    await expect(pool.started()).rejects.toThrow('took too long')
  })
})

describe('a job', () => {
  test('that fails in an orderly way does not cost its worker', async () => {
    const { pool, starts } = await startedPool()
    await expect(pool.run('fail', 'patient')).rejects.toMatchObject({
      name: 'EmbedderUnavailable',
      cause: { message: 'failed as told' },
      isTransient: false,
    })
    await expect(pool.run('echo', 'patient')).resolves.toBeDefined()
    expect(starts()).toBe(1)
  })

  test('that is urgent goes before all that are patient, and otherwise the first comes first', async () => {
    const { pool, begun, release } = await startedPool()
    const first = pool.run({ heldUntil: 1 }, 'patient')
    await expect.poll(begun).toBe(1)
    const urgencies = ['bulk', 'patient', 'patient', 'urgent', 'urgent'] as const
    const jobs = urgencies.map((urgency) => pool.run('echo', urgency))
    release()
    const done = await Promise.all(jobs)
    expect(done.map(({ order }) => order)).toEqual([5, 3, 4, 1, 2])
    expect(await first).toMatchObject({ order: 0 })
  })

  test('is begun as soon as the one before it is done, even while the thread of the pool is busy', async () => {
    const { pool, begun } = await startedPool()
    const jobs = [pool.run('echo', 'patient'), pool.run('echo', 'bulk')]
    const deadlineMs = performance.now() + 5_000
    while (begun() < 2 && performance.now() < deadlineMs);
    expect(begun()).toBe(2)
    await Promise.all(jobs)
  })

  test.each([
    ['four short ones', 1, 5],
    ['one long one', 3, 2],
  ])('is sent early: %s behind the one under way', async (_, cost, begunMax) => {
    const { pool, begun } = await startedPool({ costOf: () => cost })
    const jobs = Array.from({ length: 8 }, () => pool.run('echo', 'patient'))
    const busyUntilMs = performance.now() + 500
    while (performance.now() < busyUntilMs);
    expect(begun()).toBe(begunMax)
    await Promise.all(jobs)
  })

  test('that was done by a worker that died before it told is done again', async () => {
    const { pool, starts } = await startedPool()
    const crashes = [8, 17, 26]
    const jobs = Array.from({ length: 60 }, (_, place) =>
      crashes.includes(place) ? 'crash' : 'echo',
    )
    const outcomes = await Promise.allSettled(jobs.map((job) => pool.run(job, 'patient')))
    const failed = outcomes.flatMap(({ status }, place) => (status === 'rejected' ? place : []))
    expect(failed).toEqual(crashes)
    expect(starts()).toBe(1 + crashes.length)
  })

  test('is answered before the next one is done, where few are waiting', async () => {
    const { pool, release } = await startedPool()
    const jobs = [
      pool.run({ heldUntil: 1 }, 'patient'),
      pool.run('echo', 'patient'),
      pool.run({ heldUntil: 2 }, 'patient'),
    ]
    release()
    await expect(jobs[1]).resolves.toBeDefined()
    release()
    await Promise.all(jobs)
  })

  test('that waits behind another one goes to a worker that has nothing to do', async () => {
    const { pool, begun, release } = await startedPool({ workers: 2 })
    const long = pool.run({ heldUntil: 2 }, 'patient')
    const short = pool.run({ heldUntil: 1 }, 'patient')
    await expect.poll(begun).toBe(2)
    const waiting = pool.run('echo', 'patient')
    release()
    expect((await waiting).threadId).toBe((await short).threadId)
    release()
    expect((await long).threadId).not.toBe((await short).threadId)
  })

  test('that is called back for an urgent one keeps its place among the others', async () => {
    const { pool, begun, release } = await startedPool({ workers: 2 })
    const underWay = [1, 2].map((heldUntil) => pool.run({ heldUntil }, 'patient'))
    await expect.poll(begun).toBe(2)
    const urgencies = ['patient', 'patient', 'urgent'] as const
    const jobs = urgencies.map((urgency) => pool.run('echo', urgency))
    release()
    const done = await Promise.all(jobs)
    expect(done.map(({ order }) => order)).toEqual([3, 4, 2])
    release()
    await Promise.all(underWay)
  })

  test('that waits at a worker that hangs goes to its replacement', async () => {
    const { pool, starts } = await startedPool({ jobTimeoutMs: 500 })
    const jobs = [pool.run('hang', 'patient'), pool.run('echo', 'patient')]
    await expect(jobs[0]).rejects.toThrow('The embedding worker failed.')
    await expect(jobs[1]).resolves.toBeDefined()
    expect(starts()).toBe(2)
  })

  test('that is given up while it waits is never begun, and what is begun is finished', async () => {
    const { pool, begun, release } = await startedPool()
    const leaving = new AbortController()
    const { signal } = leaving
    const first = pool.run({ heldUntil: 1 }, 'urgent', 1, signal)
    await expect.poll(begun).toBe(1)
    const waiting = pool.run('echo', 'urgent', 1, signal)
    const other = pool.run('echo', 'urgent', 1)
    leaving.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    await expect(pool.run('echo', 'urgent', 1, signal)).rejects.toThrow('left')
    release()
    await expect(Promise.all([first, other])).resolves.toHaveLength(2)
    expect(begun()).toBe(2)
  })

  test('is refused when no worker can be started', async () => {
    const { pool } = await startedPool({ failFromStart: 1 })
    const crashing = pool.run('crash', 'patient')
    const waiting = pool.run('echo', 'patient')
    await expect(crashing).rejects.toThrow('The embedding worker failed.')
    await expect(waiting).rejects.toMatchObject({
      name: 'EmbedderUnavailable',
      message: 'No embedding worker can be started.',
    })
  })
})

describe('a pool', () => {
  test('says that it could not be started', async () => {
    const { pool } = newPool({ workers: 2, failFromStart: 0 })
    await expect(pool.started()).rejects.toThrow('failed to start as told')
  })

  test('works as soon as one worker is ready, and starts the others then', async () => {
    const { pool, starts } = newPool({ workers: 3, failFromStart: 1, restartDelayMs: 3_600_000 })
    await pool.started()
    expect(await pool.run('echo', 'patient')).toMatchObject({ order: 0 })
    await expect.poll(starts).toBe(3)
    expect(pool.isReady()).toBe(true)
  })

  test('starts no others once it is closed', async () => {
    const { pool, starts } = newPool({ workers: 3, othersDelayMs: 50 })
    await pool.started()
    await pool.close()
    await sleep(100)
    expect(starts()).toBe(1)
  })

  test('says so when there is not even a thread, and survives the next tries', async () => {
    const cannotBeSent = { run: () => undefined }
    const { pool } = newPool({ data: cannotBeSent })
    await expect(pool.started()).rejects.toThrow('could not be cloned')
    await expect(pool.run('echo', 'patient')).rejects.toThrow('No embedding worker can be started.')
  })
})
