// The shared store answers questions over a graph as the embedded one does, in the same order and
// cut at the same place, although it reads the relations of many entities at once.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { newDatabase, type TestDatabase } from '../../testing/postgres.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { type FreshSpace, type Subject, subjectOf } from '../conformance/subject.ts'
import { openIn } from '../sqlite/testing/store-in-folder.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const ENTITIES = 12
const place = fc.nat(ENTITIES - 1)
/** Few times, so that many records have the same one. */
const time = fc.integer({ min: 1_000, max: 1_003 })

const graph = fc.record({
  entities: fc.array(fc.record({ type: fc.constantFrom('PERSON', 'EVENT'), createdAt: time }), {
    minLength: ENTITIES,
    maxLength: ENTITIES,
  }),
  relations: fc.array(fc.record({ source: place, target: place, createdAt: time }), {
    minLength: 20,
    maxLength: 40,
  }),
  memories: fc.array(
    fc.record({ content: fc.constantFrom('Anna', 'met ÄNNA.', 'Annabel', 'x'), createdAt: time }),
    { maxLength: 8 },
  ),
  from: place,
  to: place,
  depth: fc.integer({ min: 1, max: 3 }),
  nodesMax: fc.integer({ min: 1, max: ENTITIES + 1 }),
  limit: fc.integer({ min: 1, max: 3 }),
})
type Graph = typeof graph extends fc.Arbitrary<infer Value> ? Value : never

/** The same records, ids and all, in each space. */
async function fill(spaces: readonly FreshSpace[], given: Graph): Promise<string[]> {
  const entities = given.entities.map(({ type, createdAt }) =>
    entityOf({ type: type === 'EVENT' ? 'EVENT' : 'PERSON', createdAt }),
  )
  const ids = entities.map(({ id }) => id)
  const relations = given.relations.map(({ source, target, createdAt }) =>
    relationOf({ sourceId: ids[source] ?? '', targetId: ids[target] ?? '' }, { createdAt }),
  )
  const memories = given.memories.map((fields) => memoryOf(fields))
  for (const space of spaces) {
    for (const entity of entities) await space.entities.insert(entity, NO_RECEIPT)
    for (const relation of relations) await space.relations.insert(relation, NO_RECEIPT)
    for (const memory of memories) {
      await space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
    }
  }
  return ids
}

async function ask(space: FreshSpace, ids: readonly string[], given: Graph): Promise<unknown> {
  const [from = '', to = ''] = [ids[given.from], ids[given.to]]
  const { depth, nodesMax, limit } = given
  const pages: unknown[] = []
  let after: string | undefined
  do {
    const page = await space.graph.mentions('anna', { after, limit })
    pages.push(page)
    after = page.next
  } while (after !== undefined)
  return {
    counts: await space.graph.counts(),
    neighbourhood: await space.graph.neighbourhood(from, { depth, nodesMax }),
    newest: await space.graph.newest({ nodesMax }),
    events: await space.graph.newest({ type: 'EVENT', nodesMax }),
    path: await space.graph.path(from, to),
    mentions: pages,
  }
}

describe.skipIf(server === undefined)('a graph in both stores', () => {
  let database: TestDatabase
  let shared: Subject | undefined

  beforeAll(async () => {
    database = await newDatabase(server ?? '')
    shared = subjectOf(await openStoreAt(database.url, 4))
  })
  afterAll(async () => {
    await shared?.store.close()
    await database.drop()
  })

  test('every question has the same answer in the same order', async () => {
    const embedded = subjectOf(await openIn(newFolder()))
    await fc.assert(
      fc.asyncProperty(graph, async (given) => {
        if (shared === undefined) throw new Error('The store is open only while cases run.')
        const spaces = [await embedded.newSpace(), await shared.newSpace()] as const
        const ids = await fill(spaces, given)
        expect(await ask(spaces[1], ids, given)).toStrictEqual(await ask(spaces[0], ids, given))
      }),
      // Each run takes a hundred statements, so a failure is shown as it was found.
      { numRuns: 40, endOnFailure: true },
    )
  })
})
