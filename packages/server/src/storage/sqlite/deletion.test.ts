// Deleted text must not be in any file of the folder at the moment its deletion is answered. The
// files are read byte by byte, as a thief would. The numbers are chosen so that pages split and
// join: without the overwriting of moved cells (free-bytes.ts) these cases fail.
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { wholeNumbers } from '../../testing/random-numbers.ts'
import { newMember } from '../conformance/account-records.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import {
  caseSpace,
  type FreshSpace,
  MODEL,
  newKey,
  storedKey,
  subjectOf,
} from '../conformance/subject.ts'
import { LOG_BYTES_SHORT } from './log/write-ahead-log.ts'
import { databaseFile } from './opening/data-folder.ts'
import { openDatabase } from './opening/open-database.ts'
import { canariesIn, canaryOf, expectNone, vectorOf } from './testing/canaries.ts'
import { openIn, takeAllIn } from './testing/store-in-folder.ts'

/** With this one, leaving out any step of checkpoint.ts leaves something in the files. */
const SEED = 3

async function insertMemory(space: FreshSpace, canary: string, length: number): Promise<string> {
  const memory = memoryOf({
    content: `${canary} ${'words and '.repeat(length / 10)}${canary}`,
    userId: `u${canary}`,
    agentId: `a${canary}`,
    tags: [`t${canary}`, `${length}${canary}`],
    metadata: JSON.stringify({ [canary]: canary }),
  })
  const pieces = [0, 1].map((start) =>
    pieceOf('', [1], { start, end: 1, vector: vectorOf(canary) }),
  )
  await space.memories.insert(memory, pieces, NO_RECEIPT)
  return memory.id
}

async function insertEntity(space: FreshSpace, canary: string, length: number): Promise<string> {
  const entity = entityOf({
    name: canary.toUpperCase(),
    description: `${canary} ${'x'.repeat(length)}`,
    metadata: JSON.stringify({ [canary]: canary }),
  })
  await space.entities.insert(entity, NO_RECEIPT)
  const ends = { sourceId: entity.id, targetId: entity.id }
  const metadata = JSON.stringify({ a: canary })
  await space.relations.insert(relationOf(ends, { type: canary, metadata }), NO_RECEIPT)
  return entity.id
}

const KINDS = [
  {
    kind: 'memories',
    insert: insertMemory,
    remove: (space: FreshSpace, id: string) => space.memories.remove(id, NO_RECEIPT),
  },
  {
    kind: 'entities and their relations',
    insert: insertEntity,
    remove: (space: FreshSpace, id: string) => space.entities.remove(id, NO_RECEIPT),
  },
]

test.each(KINDS)(
  'of deleted $kind nothing is left in the files, however pages were split and joined',
  async ({ insert, remove }) => {
    const directory = newFolder()
    const space = await subjectOf(await openIn(directory)).newSpace()
    const random = wholeNumbers(SEED)
    const alive: { canary: string; id: string }[] = []
    const gone = new Set<string>()
    for (let round = 0; round < 40; round += 1) {
      const canaries = Array.from({ length: 30 }, (_, index) => canaryOf(round * 30 + index))
      await Promise.all(
        canaries.map(async (canary) => {
          // One in ten needs pages of its own beside the B-tree.
          const length = random(10) === 0 ? 9_000 : random(600)
          alive.push({ canary, id: await insert(space, canary, length) })
        }),
      )
      // Deleted are memories that wait for their lists, and others.
      if (round % 3 === 2) takeAllIn(directory)
      // A page that is written again must not bring back what it held before.
      expectNone(gone, canariesIn(directory))
      const doomed = Array.from({ length: 25 }, () => alive.splice(random(alive.length), 1)[0])
      await Promise.all(doomed.map((each) => each && remove(space, each.id)))
      for (const each of doomed) if (each) gone.add(each.canary)
      const found = canariesIn(directory)
      expectNone(gone, found)
      // The search can see: what was not deleted is there.
      expect(alive.every(({ canary }) => found.has(canary))).toBe(true)
    }
  },
)

test('of a relation that is deleted by itself nothing is left in the files', async () => {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  const entity = entityOf()
  await space.entities.insert(entity, NO_RECEIPT)
  const ends = { sourceId: entity.id, targetId: entity.id }
  const [gone, stays] = [canaryOf(1), canaryOf(2)].map((canary) =>
    relationOf(ends, { type: canary, metadata: JSON.stringify({ a: canary }) }),
  )
  for (const each of [gone, stays]) if (each) await space.relations.insert(each, NO_RECEIPT)
  expect(canariesIn(directory).size).toBe(2)
  expect(await space.relations.remove(gone?.id ?? '', NO_RECEIPT)).toBe(true)
  expect(canariesIn(directory)).toEqual(new Set([canaryOf(2)]))
})

test('a deletion waits for a reader that still sees the text, and writes do not', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const space = await subjectOf(store).newSpace()
  const id = await insertMemory(space, canaryOf(1), 100)
  const reader = openDatabase(databaseFile(directory))
  reader.exec('BEGIN; SELECT * FROM memories')
  let answered = false
  const removal = space.memories.remove(id, NO_RECEIPT).then(() => {
    answered = true
  })
  await insertMemory(space, canaryOf(2), 100)
  expect(answered).toBe(false)
  expect(await space.memories.find(id)).toBeUndefined()
  reader.close()
  await removal
  expect([...canariesIn(directory)]).toEqual([canaryOf(2)])
})

test('a purge waits for such a reader with its last step alone, and not when it is refused', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const { account } = await newMember(subjectOf(store))
  const keys = store.console.forAccount(account.id)
  const key = newKey()
  await keys.insert(key)
  const { spaceId } = await storedKey(store.keys, key)
  const { number } = await store.generations.adopt(MODEL)
  const space = { ...caseSpace(store, spaceId, number), spaceId, keyId: key.id }
  for (let number = 0; number < 250; number += 1) await insertMemory(space, canaryOf(number), 10)
  const reader = openDatabase(databaseFile(directory))
  reader.exec('BEGIN; SELECT * FROM memories')
  const answers: unknown[] = []
  const purge = (): Promise<unknown> => keys.purge(key.id, 1).then((step) => answers.push(step))
  const refused = purge()
  await keys.revoke(key.id)
  expect(answers).toEqual(['is-active'])
  const [first, last] = [purge(), purge()]
  await store.keys.insert(newKey())
  expect(answers).toEqual(['is-active', { isDone: false }])
  reader.close()
  await Promise.all([refused, first, last])
  expect(answers).toEqual(['is-active', { isDone: false }, { isDone: true }])
  expect(canariesIn(directory).size).toBe(0)
})

/**
 * A store whose log has begun anew, with the text of a memory behind the end of what is in use. The files
 * are searched, since nothing else shows that it is there.
 */
async function withTextBehindTheLog() {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  const log = `${databaseFile(directory)}-wal`
  const salts = (): string => readFileSync(log).subarray(16, 24).toString('hex')
  const write = (number: number): Promise<string> => insertMemory(space, canaryOf(number), 60_000)
  let number = 100
  const writeUntil = async (done: () => boolean): Promise<void> => {
    for (; !done(); number += 1) await write(number)
  }
  await writeUntil(() => statSync(log).size > LOG_BYTES_SHORT / 2)
  const [round, id] = [salts(), await insertMemory(space, canaryOf(1), 100)]
  await writeUntil(() => salts() !== round)
  expect(readFileSync(log).toString('latin1')).toContain(canaryOf(1))
  return { directory, space, id }
}

test('of a deleted text nothing is left behind the end of a log that began anew', async () => {
  const { directory, space, id } = await withTextBehindTheLog()
  await space.memories.remove(id, NO_RECEIPT)
  expect(canariesIn(directory)).not.toContain(canaryOf(1))
})

test('nor after a crash between the deletion and its answer', async () => {
  const { directory, space, id } = await withTextBehindTheLog()
  // Somebody who reads keeps the log from being cut.
  const reader = openDatabase(databaseFile(directory))
  reader.exec('BEGIN; SELECT * FROM memories')
  const removal = space.memories.remove(id, NO_RECEIPT)
  await expect.poll(() => space.memories.find(id)).toBeUndefined()
  const image = newFolder()
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('-shm')) copyFileSync(join(directory, name), join(image, name))
  }
  reader.close()
  await removal
  expect(canariesIn(image)).toContain(canaryOf(1))
  await openIn(image)
  expect(canariesIn(image)).not.toContain(canaryOf(1))
})

test('what a crash left of moved cells is overwritten by the next start', async () => {
  const directory = newFolder()
  const first = await openIn(directory)
  await insertMemory(await subjectOf(first).newSpace(), canaryOf(1), 100)
  await first.close()
  const db = openDatabase(databaseFile(directory))
  db.pragma('wal_checkpoint(TRUNCATE)')
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entities'").pluck()
  const page = Number(root.get())
  db.close()
  leaveInMiddleOf(databaseFile(directory), page, canaryOf(9))
  expect(canariesIn(directory)).toContain(canaryOf(9))
  await openIn(directory)
  expect([...canariesIn(directory)]).toEqual([canaryOf(1)])
})

/** Writes into the free middle of an empty page, as a move of cells does. */
function leaveInMiddleOf(file: string, page: number, text: string): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.from(text), 0, text.length, (page - 1) * 8_192 + 4_096)
  closeSync(descriptor)
}
