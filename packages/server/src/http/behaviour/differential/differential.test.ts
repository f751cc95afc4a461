// The embedded store and PostgreSQL under one random trace: whatever a caller can see is the same,
// byte for byte. A failure names its seed; DIFFERENTIAL_SEED repeats one, or tries another.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { OPERATION_IDS } from '../../../contract/operations.ts'
import { setDatabaseClock } from '../../../testing/database-clock.ts'
import { administer, newDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import { runService, type TestService } from '../../../testing/running-service.ts'
import { type SetClock, setClock } from '../../../testing/set-clock.ts'
import { type Shown, Subject } from './subject.ts'
import { type Round, type Step, traceOf } from './trace.ts'

const server = inject('postgresUrl')
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_121)
const SIZE = { rounds: 20, lanes: 16, steps: 25 }
const START_MS = Date.UTC(2026, 10, 30, 9, 0, 0, 137)
const MONTH = '2026-11'
/** The lanes that are not those of unlimited keys. */
const LANE = { quota: 0, limits: 1, revoked: 2 }
const QUOTA_LEFT = 100

type Keys = { id: string; key: string }[]

/** The same keys on either service, some of them with limits. */
async function makeKeys(service: TestService): Promise<Keys> {
  const keys: Keys = []
  for (let lane = 0; lane < SIZE.lanes; lane += 1) {
    const plan = lane === LANE.quota ? 'free' : lane % 2 === 0 ? 'hobby' : 'enterprise'
    const limits = { read: 40, write: undefined, search: 9 }
    keys.push(await service.newKey(lane === LANE.limits ? { plan, limits } : { plan }))
  }
  const charge = { keyId: keys[LANE.quota]?.id ?? '', month: MONTH }
  const operations = 1_000 - QUOTA_LEFT
  await service.service.store.usage.add([{ ...charge, operations, lastUsedAt: START_MS }])
  return keys
}

describe.skipIf(server === undefined)('the embedded store and PostgreSQL', () => {
  let embedded: TestService
  let postgres: TestService
  let database: TestDatabase
  let setDatabaseTime: (ms: number) => Promise<void>
  const clock: SetClock = setClock(START_MS)

  beforeAll(async () => {
    database = await newDatabase(server ?? '')
    setDatabaseTime = await setDatabaseClock(database, START_MS)
    // Nobody pulls a plug here, and waiting for the disk would be most of the time.
    await administer(
      database.administratorUrl,
      `ALTER DATABASE ${nameOf(database.url)} SET synchronous_commit = off`,
    )
    const settings = { DATABASE_URL: database.url, MNEMOGRAPH_DATABASE_DURABILITY: 'unchecked' }
    embedded = await runService({ clock })
    postgres = await runService({ clock, settings })
  })
  afterAll(async () => {
    await embedded?.[Symbol.asyncDispose]()
    await postgres?.[Symbol.asyncDispose]()
    await database?.drop()
  })

  test('of 8,000 random requests each is answered with the same bytes by both', async () => {
    const subjects = [embedded, postgres].map((service) => new Subject(service))
    const keys = await Promise.all([makeKeys(embedded), makeKeys(postgres)])
    const seen = new Seen()
    for (const [no, round] of traceOf(SEED, SIZE).entries()) {
      clock.pass(round.passMs)
      await setDatabaseTime(clock.now())
      if (no === SIZE.rounds - 4) await revoke(keys)
      const [ofEmbedded = [], ofPostgres = []] = await Promise.all(
        subjects.map((subject, index) => runRound(subject, keys[index] ?? [], round)),
      )
      expectSame(no, round, ofEmbedded, ofPostgres)
      seen.note(round, ofPostgres)
    }
    for (const subject of subjects) subject.close()
    expect(seen.requests).toBeGreaterThanOrEqual(8_000)
    expect([...seen.succeeded].toSorted()).toEqual([...OPERATION_IDS].toSorted())
    expect([...seen.statuses].toSorted()).toEqual([
      200, 201, 400, 401, 403, 404, 405, 409, 415, 429,
    ])
  }, 120_000)

  async function revoke([ofEmbedded = [], ofPostgres = []]: Keys[]): Promise<void> {
    await embedded.service.store.keys.revoke(ofEmbedded[LANE.revoked]?.id ?? '')
    await postgres.service.store.keys.revoke(ofPostgres[LANE.revoked]?.id ?? '')
  }
})

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

const runRound = (subject: Subject, keys: Keys, { lanes }: Round): Promise<Shown[][]> =>
  Promise.all(lanes.map((steps, lane) => subject.run(lane, keys[lane]?.key ?? '', steps)))

function expectSame(no: number, { lanes }: Round, one: Shown[][], other: Shown[][]): void {
  for (const [lane, steps] of lanes.entries()) {
    for (const [index, { method, path, body, headers }] of steps.entries()) {
      const asked = JSON.stringify({ method, path, body, headers })
      const what = `DIFFERENTIAL_SEED=${SEED}, round ${no}, lane ${lane}, step ${index}: ${asked}`
      expect(other[lane]?.[index]?.text, what).toBe(one[lane]?.[index]?.text)
    }
  }
}

/** What the trace has come across, so that it cannot become one of nothing but refusals. */
class Seen {
  requests = 0
  readonly statuses = new Set<number>()
  readonly succeeded = new Set<Step['operation']>()

  note({ lanes }: Round, answers: Shown[][]): void {
    for (const [lane, steps] of lanes.entries()) {
      for (const [index, { operation }] of steps.entries()) {
        const status = answers[lane]?.[index]?.status ?? 0
        this.requests += 1
        this.statuses.add(status)
        if (status < 300 && operation !== undefined) this.succeeded.add(operation)
      }
    }
  }
}
