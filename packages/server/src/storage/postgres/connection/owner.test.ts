// Work of the owner ends at once when it is told to, however far it is, and tells a database that is away as
// the store does.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../../testing/free-port.ts'
import { newEmptyDatabase } from '../../../testing/postgres.ts'
import { startForwarder } from '../../../testing/postgres-forwarder.ts'
import { asOwner, withOwner } from './owner.ts'

const server = inject('postgresUrl')
const SOON_MS = 1_000

describe.skipIf(server === undefined)('work of the owner that is given up', () => {
  async function givenUp(work: string, until: () => Promise<void>, swallows = false) {
    const { url, drop } = await newEmptyDatabase(server ?? '')
    onTestFinished(drop)
    const forwarder = await startForwarder(url)
    onTestFinished(() => forwarder.close())
    if (swallows) forwarder.swallow()
    const stop = new AbortController()
    const done = withOwner(forwarder.url, (owner) => owner.query(work), stop.signal)
    const refused = expect(done).rejects.toThrow()
    await until()
    stop.abort()
    const early = Symbol()
    expect(await Promise.race([refused, sleep(SOON_MS, early)])).not.toBe(early)
  }

  test('before it is connected is over', () => givenUp('SELECT 1', async () => undefined))

  test('while a server does not answer is over', () => givenUp('SELECT 1', () => sleep(100), true))

  test('within a statement is over', () => givenUp('SELECT pg_sleep(5)', () => sleep(200)))
})

test('a database to which no connection comes about is away, and no bug', async () => {
  const url = `postgres://owner@127.0.0.1:${await freePort()}/database`
  const refused = asOwner(url, async () => undefined)
  await expect(refused).rejects.toMatchObject({ name: 'StoreError', kind: 'unavailable' })
})
