// Re-embedding beside others and without them, as only this driver has it: one lock for all who write,
// and a log that nobody else may be there to move. What each step does is said in
// conformance/reembedding.suite.ts.
import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, passageOf, pieceOf } from '../../conformance/records.ts'
import { MODEL, subjectOf } from '../../conformance/subject.ts'
import { LOG_BYTES_SHORT } from '../log/write-ahead-log.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { lockDirectory } from '../opening/directory-lock.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { openSqliteReembedding } from './open-reembedding.ts'
import { reembedding } from './reembedding.ts'

const OTHER = { ...MODEL, id: 'other' }
const MEMORIES = 30

/** A folder with a store of some memories that nobody has open. */
async function filledFolder(): Promise<string> {
  const directory = newFolder()
  const store = await openIn(directory)
  const { memories } = await subjectOf(store).newSpace()
  for (let made = 0; made < MEMORIES; made += 1) {
    await memories.insert(memoryOf(), [pieceOf('')], NO_RECEIPT)
  }
  await store.close()
  return directory
}

test('a step waits for whoever writes, also longer than a connection does', async () => {
  const file = databaseFile(await filledFolder())
  const [db, other] = [openDatabase(file), openDatabase(file)]
  for (const each of [db, other]) onTestFinished(() => void each.close())
  // Refused at once, as after the longest wait.
  db.pragma('busy_timeout = 0')
  other.exec('BEGIN IMMEDIATE')
  const mover = reembedding(db, async () => undefined)
  const begun = mover.begin(OTHER)
  other.exec('ROLLBACK')
  expect(await begun).toMatchObject(OTHER)
})

test.each(['SQLITE_FULL', 'SQLITE_BUSY'])(
  'a step stands when what comes after it has to wait (%s)',
  async (code) => {
    const db = openDatabase(databaseFile(await filledFolder()))
    onTestFinished(() => void db.close())
    const mover = reembedding(db, async () => {
      throw new Database.SqliteError('said the test', code)
    })
    expect(await mover.begin(OTHER)).toMatchObject(OTHER)
    const all = await mover.missing({ memoriesMax: MEMORIES, charactersMax: 100_000 })
    await mover.add(all.map(({ ref }) => ({ ref, pieces: [pieceOf('')] })))
    const embed = async () => [pieceOf('')]
    expect(await mover.switchOver({ restMax: 0, waitMsMax: 1_000, embed })).toBe(true)
    expect((await mover.state()).current).toMatchObject(OTHER)
  },
)

/** Writes more than a short log holds. How long the log is after it. */
async function embedMuch(directory: string): Promise<number> {
  const mover = openSqliteReembedding(directory)
  onTestFinished(() => mover.close())
  await mover.begin(OTHER)
  const long = passageOf(
    0,
    1,
    Array.from({ length: 1_024 }, (_, axis) => axis),
  )
  const pieces = [pieceOf('', [1], { sentences: Array.from({ length: 100 }, () => long) })]
  let added = 0
  for (;;) {
    const batch = await mover.missing({ memoriesMax: 10, charactersMax: 10_000 })
    if (batch.length === 0) break
    await mover.add(batch.map(({ ref }) => ({ ref, pieces })))
    added += batch.length * 100 * 1_024 * Float32Array.BYTES_PER_ELEMENT
  }
  expect(added).toBeGreaterThan(LOG_BYTES_SHORT)
  return statSync(`${databaseFile(directory)}-wal`).size
}

test('without a server the log stays short, and the next one looks for remains in every page', async () => {
  const directory = await filledFolder()
  const mark = `${databaseFile(directory)}-clean`
  expect(existsSync(mark)).toBe(true)
  expect(await embedMuch(directory)).toBeLessThanOrEqual(LOG_BYTES_SHORT)
  expect(existsSync(mark)).toBe(false)
})

test('beside a server the log is left to it: it knows which deleted texts have to leave the files', async () => {
  const directory = await filledFolder()
  const release = lockDirectory(directory)
  onTestFinished(release)
  expect(await embedMuch(directory)).toBeGreaterThan(LOG_BYTES_SHORT)
})

test('nothing begins to grow among vectors that are still to be removed', async () => {
  const mover = openSqliteReembedding(await filledFolder())
  onTestFinished(() => mover.close())
  await mover.begin(OTHER)
  const some = await mover.missing({ memoriesMax: 1, charactersMax: 1 })
  await mover.add(some.map(({ ref }) => ({ ref, pieces: [pieceOf('')] })))
  await mover.discard()
  await expect(mover.begin(OTHER)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining('in use') }),
  })
  while (await mover.removeRetired());
  expect(await mover.begin(OTHER)).toMatchObject(OTHER)
})
