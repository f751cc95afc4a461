// What deletion.test.ts holds of one generation of vectors holds of two: also while a store moves to
// another model, a deleted memory leaves nothing in the files, and the old vectors are gone in the
// end, those of living memories too.
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { wholeNumbers } from '../../../testing/random-numbers.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { type FreshSpace, MODEL, subjectOf } from '../../conformance/subject.ts'
import type { ReembeddingStore } from '../../generation.ts'
import { openSqliteReembedding } from '../reembedding/open-reembedding.ts'
import { canariesIn, canaryOf, expectNone, vectorOf } from '../testing/canaries.ts'
import { openIn } from '../testing/store-in-folder.ts'

const SEED = 5
const ROUNDS = 12
const LIMITS = { memoriesMax: 1_000, charactersMax: 1_000_000 }
const NO_REST = { restMax: 0, waitMsMax: 0, embed: async () => [] }

/** The record's number is in its content, so that both sets of vectors get canaries of their own. */
const oldVectors = (record: number): string => canaryOf(100_000 + record)
const newVectors = (record: number): string => canaryOf(200_000 + record)
const piecesOf = (canary: string) =>
  [0, 1].map((start) => pieceOf('', [1], { start, end: 1, vector: vectorOf(canary) }))

async function insert(space: FreshSpace, record: number, generation?: number): Promise<string> {
  const memory = memoryOf({ content: String(record) })
  const canary = generation === undefined ? oldVectors(record) : newVectors(record)
  await space.memories.insert(memory, piecesOf(canary), NO_RECEIPT, generation)
  return memory.id
}

async function embedMissing(mover: ReembeddingStore): Promise<void> {
  const missing = await mover.missing(LIMITS)
  await mover.add(
    missing.map(({ ref, content }) => ({ ref, pieces: piecesOf(newVectors(Number(content))) })),
  )
}

test('of a memory deleted during a move neither generation of vectors is left in the files', async () => {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  const mover = openSqliteReembedding(directory)
  const random = wholeNumbers(SEED)
  const alive: { record: number; id: string }[] = []
  const gone = new Set<string>()
  let generation: number | undefined

  async function round(number: number): Promise<void> {
    const records = Array.from({ length: 30 }, (_, index) => number * 30 + index)
    await Promise.all(
      records.map(async (record) => {
        alive.push({ record, id: await insert(space, record, generation) })
      }),
    )
    if (generation === undefined) await embedMissing(mover)
    const doomed = Array.from({ length: 25 }, () => alive.splice(random(alive.length), 1)[0])
    await Promise.all(doomed.map((each) => each && space.memories.remove(each.id, NO_RECEIPT)))
    for (const each of doomed) {
      if (each) gone.add(oldVectors(each.record)).add(newVectors(each.record))
    }
    expectNone(gone, canariesIn(directory))
  }

  const { number } = await mover.begin({ ...MODEL, id: 'other' })
  for (let count = 0; count < ROUNDS; count += 1) await round(count)
  const before = canariesIn(directory)
  // The search can see: of what was not deleted, both generations are there.
  expect(alive.every(({ record }) => before.has(oldVectors(record)))).toBe(true)
  expect(alive.every(({ record }) => before.has(newVectors(record)))).toBe(true)

  await embedMissing(mover)
  expect(await mover.switchOver(NO_REST)).toBe(true)
  generation = number
  for (let count = ROUNDS; await mover.removeRetired(); count += 1) await round(count)
  await round(2 * ROUNDS)
  await mover.close()
  const after = canariesIn(directory)
  expect([...after].filter((canary) => canary.startsWith('canary1'))).toEqual([])
  expect(alive.every(({ record }) => after.has(newVectors(record)))).toBe(true)
})
