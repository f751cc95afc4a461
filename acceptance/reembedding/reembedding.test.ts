/**
 * `mnemograph reembed` beside a running server, killed again and again at random moments, while
 * callers create, search and delete without a break. They notice nothing; in the end every memory is
 * found by the new model, and nothing of the old vectors is in the files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRunning } from '../crash/caller.ts'
import { databaseFindings } from '../crash/database-check.ts'
import { Random } from '../crash/random.ts'
import { issueKey } from '../harness/keys.ts'
import {
  freshDataDir,
  removeDataDir,
  runCommand,
  runUntilExit,
  type ServerProcess,
  type Settings,
  startCommand,
  startServer,
} from '../harness/server-process.ts'
import { describeOn } from '../harness/store.ts'
import { Traffic } from './traffic.ts'
import { startWordModels, type WordModels } from './word-models.ts'

const MEMORIES_BEFORE = 200
const CALLERS = 3
/** A run is killed within so many texts, times the kills so far: so one ends, but no early one. */
const KILL_WITHIN_TEXTS = 35
/** Killed within this time after those texts, in which a batch is committed. */
const KILL_WITHIN_MS = 30
const KILLS_MIN = 3
const KILLS_MAX = 40
/** As many texts as a killed run may have embedded but not committed. */
const BATCH = 32
const SEED = 20_261_121

let models: WordModels
let dataDir: string
const servers: ServerProcess[] = []

/** Runs the command again and again until one run has come to its end. Returns the kills. */
async function reembedUnderFire(settings: Settings, random: Random): Promise<number> {
  for (let kills = 0; kills < KILLS_MAX; kills += 1) {
    const atWork = models.nextTexts('mover', 1 + random.below(KILL_WITHIN_TEXTS * (1 + kills)))
    const command = startCommand(dataDir, ['reembed'], settings)
    await Promise.race([atWork.then(() => wait(random.below(KILL_WITHIN_MS))), command.ended])
    command.kill('SIGKILL')
    const { status, stderr } = await command.ended
    if (status === 0) return kills
    expect(status, stderr).toBe(null)
    expect(databaseFindings(dataDir)).toEqual([])
  }
  throw new Error(`It did not end in ${KILLS_MAX} runs`)
}

function vectors(): Buffer[] {
  const db = new Database(join(dataDir, 'mnemograph.db'), { readonly: true })
  try {
    return db.prepare<[], Buffer>('SELECT vector FROM pieces').pluck().all()
  } finally {
    db.close()
  }
}

const isInFiles = (bytes: Buffer): boolean =>
  readdirSync(dataDir).some((name) => readFileSync(join(dataDir, name)).includes(bytes))

describeOn('embedded', 'looks into the file after each kill', () => {
  beforeAll(async () => {
    models = await startWordModels()
    dataDir = await freshDataDir()
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await models.stop()
    await removeDataDir(dataDir)
  })

  test('callers notice nothing of a move to another model that is killed again and again', async () => {
    const random = new Random(SEED)
    const before = models.settings('old', 'server')
    const target = models.settings('new', 'mover')
    const server = await startServer(dataDir, before)
    servers.push(server)
    const { key } = await issueKey(dataDir)
    const traffic = new Traffic({ url: server.url, key }, random)
    for (let batch = 0; batch < MEMORIES_BEFORE / 10; batch += 1) {
      await Promise.all(Array.from({ length: 10 }, () => traffic.create()))
    }
    const [old] = vectors()
    if (old === undefined) throw new Error('There is no vector')

    const callers = traffic.run(CALLERS)
    const kills = await reembedUnderFire(target, random)
    await wait(500)
    await callers.stop()
    expect(traffic.violations).toEqual([])
    expect(kills).toBeGreaterThanOrEqual(KILLS_MIN)
    // Each run went on where the one before was killed.
    expect(models.textsOf('mover')).toBeLessThan(traffic.created + (kills + 1) * (BATCH + 1))

    await traffic.findAll()
    const [doomed] = traffic.present.values()
    if (doomed !== undefined) await traffic.remove(doomed)
    expect(traffic.violations).toEqual([])
    // The answer to a deletion says that the files are clean.
    expect([vectors(), isInFiles(old)]).toEqual([[], false])
    expect(databaseFindings(dataDir)).toEqual([])
    await server.stop()

    const refused = await runUntilExit(dataDir, before)
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('made by the model openai:new')
    expect(refused.stderr).toContain('mnemograph reembed')

    const again = await startServer(dataDir, { MNEMOGRAPH_EMBEDDING_KEY: 'server' })
    servers.push(again)
    const caller = { url: again.url, key }
    const later = new Traffic(caller, random)
    for (const known of traffic.present.values()) later.present.set(known.id, known)
    await later.findAll()
    expect(later.violations).toEqual([])
    const listed = await callRunning(caller, 'GET', 'memories?limit=1')
    expect(listed.body).toMatchObject({ pagination: { total: traffic.present.size } })
    await again.stop()
  }, 300_000)

  test('a second move at the same time is refused, another target asks for a word, and without one it goes on', async () => {
    const settings = models.settings('old', 'second')
    const begun = models.nextTexts('second', 1)
    const first = startCommand(dataDir, ['reembed'], settings)
    await begun
    // The first text only proves the model; with the next one the move is in the store.
    await models.nextTexts('second', 1)
    const second = await runCommand(dataDir, ['reembed'])
    expect(second.status).toBe(1)
    expect(second.stderr).toContain('is being re-embedded by another process')
    first.kill('SIGKILL')
    await first.ended

    const status = await runCommand(dataDir, ['reembed', '--status'])
    expect(status.stdout).toMatch(
      /^model: openai:new .*\nmoving to: openai:old .*\nembedded: \d+ of/,
    )
    const other = await runCommand(dataDir, ['reembed'], { MNEMOGRAPH_EMBEDDER: 'local' })
    expect(other.status).toBe(1)
    expect(other.stderr).toContain('A move to openai:old')
    expect(other.stderr).toContain('--restart')
    const finished = await runCommand(dataDir, ['reembed'])
    expect(finished).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('uses openai:old'),
    })
  }, 120_000)
})
