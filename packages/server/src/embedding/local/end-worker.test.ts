// A pool that is closed, and how its workers end: what they do is finished, and nobody waits for ever.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newPool, startedPool } from './testing/obedient-pool.ts'

test('a pool that is closed refuses what waits, what is under way and what comes', async () => {
  const { pool } = await startedPool()
  const jobs = [pool.run('hang', 'patient'), pool.run('echo', 'urgent')]
  const outcomes = Promise.allSettled(jobs)
  await pool.close()
  for (const outcome of [
    ...(await outcomes),
    ...(await Promise.allSettled([pool.run('echo', 'urgent')])),
  ]) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EmbedderUnavailable' } })
  }
  expect(pool.isReady()).toBe(false)
})

test('a pool that is closed lets a worker finish what it is doing', async () => {
  const { pool } = await startedPool({ endTimeoutMs: 20_000 })
  const underWay = pool.run({ sleepMs: 200 }, 'patient')
  const waiting = pool.run('echo', 'patient')
  await Promise.all([pool.close(), expect(waiting).rejects.toThrow('closed')])
  await expect(underWay).resolves.toBeDefined()
})

test('a pool that is closed does not wait for a worker that dies meanwhile', async () => {
  const { pool } = await startedPool({ endTimeoutMs: 3_600_000 })
  const dying = expect(pool.run('exit', 'patient')).rejects.toThrow('worker failed')
  await pool.close()
  await dying
})

test('a pool that is closed waits for a worker that was given up on before', async () => {
  const { pool, release } = await startedPool({
    // In which a busy machine begins the job: one that was not begun is not given up on, and waits.
    jobTimeoutMs: 500,
    endTimeoutMs: 20_000,
    restartDelayMs: 3_600_000,
  })
  await expect(pool.run({ heldUntil: 1 }, 'patient')).rejects.toThrow('worker failed')
  let isClosed = false
  const closing = pool.close().then(() => {
    isClosed = true
  })
  await sleep(50)
  expect(isClosed).toBe(false)
  release()
  await closing
})

test('a pool that is closed says so when a worker is in native code and does not end', async () => {
  const { pool, begun } = await startedPool({ endTimeoutMs: 50 })
  const lost = pool.run({ nativeMs: 1_000 }, 'patient')
  await expect.poll(begun).toBe(1)
  const exit = expect(lost).rejects.toThrow('worker failed')
  await expect(pool.close()).rejects.toThrow('does not end')
  await exit
  await pool.close()
})

test('a pool that is closed ends a worker that still loads when it has, and not before', async () => {
  const { pool, starts, release } = newPool({ heldAtStart: true, endTimeoutMs: 50 })
  const loaded = expect(pool.started()).resolves.toBeUndefined()
  await expect.poll(starts).toBe(1)
  const closing = pool.close()
  await sleep(200)
  release()
  await Promise.all([closing, loaded])
  expect(pool.isReady()).toBe(false)
})

test('a pool that is closed says so when a worker never comes to the end of its start', async () => {
  const { pool, release } = newPool({ heldAtStart: true, startTimeoutMs: 50, endTimeoutMs: 50 })
  await expect(pool.started()).rejects.toThrow('took too long')
  await expect(pool.close()).rejects.toThrow('does not end')
  release()
  const isClosed = () =>
    pool.close().then(
      () => true,
      () => false,
    )
  await expect.poll(isClosed).toBe(true)
})

test('a pool that is closed starts nobody again', async () => {
  const { pool, starts } = await startedPool({ restartDelayMs: 10 })
  await expect(pool.run('crash', 'patient')).rejects.toThrow()
  await pool.close()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(starts()).toBe(1)
})
