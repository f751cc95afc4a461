// Questions over the graph: against a plain search over random graphs, and with bounds.
import { describe, expect, test } from 'vitest'
import { randomNumbers } from '../../testing/random-numbers.ts'
import { STEPS_MAX } from '../graph-path.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

async function randomGraph(space: FreshSpace, seed: number) {
  const random = randomNumbers(seed)
  const ids: string[] = []
  for (let n = 0; n < 25; n += 1) {
    const entity = entityOf({ name: `n${n}` })
    ids.push(entity.id)
    await space.entities.insert(entity, NO_RECEIPT)
  }
  const pick = (): string => ids[Math.floor(random() * ids.length)] ?? ''
  const neighbours = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  const relations = Array.from({ length: 28 }, () => ({ sourceId: pick(), targetId: pick() }))
  // One that leads to where it begins is one relation.
  relations.push({ sourceId: ids[0] ?? '', targetId: ids[0] ?? '' })
  for (const relation of relations) {
    await space.relations.insert(relationOf(relation), NO_RECEIPT)
    neighbours.get(relation.sourceId)?.add(relation.targetId)
    neighbours.get(relation.targetId)?.add(relation.sourceId)
  }
  const degree = (id: string): number =>
    relations.filter(({ sourceId, targetId }) => sourceId === id || targetId === id).length
  return { ids, degree, distances: (from: string) => distancesOf(neighbours, from) }
}

function distancesOf(neighbours: Map<string, Set<string>>, from: string): Map<string, number> {
  const distances = new Map([[from, 0]])
  for (const [id, distance] of distances) {
    for (const next of neighbours.get(id) ?? []) {
      if (!distances.has(next)) distances.set(next, distance + 1)
    }
  }
  return distances
}

export function graphSuite(subject: () => Subject): void {
  describe('the graph', () => {
    test('neighbourhoods and shortest paths are those of a plain search', async () => {
      for (const seed of [1, 2, 3]) {
        const space = await subject().newSpace()
        const { ids, degree, distances } = await randomGraph(space, seed)
        for (const from of ids.slice(0, 8)) {
          const expected = distances(from)
          for (const depth of [1, 2, 3]) {
            const part = await space.graph.neighbourhood(from, { depth, nodesMax: 100 })
            const near = [...expected].filter(([, distance]) => distance <= depth)
            const found = part?.nodes.map((node) => [node.id, node.depth] as const)
            expect(new Map(found)).toEqual(new Map(near))
            for (const node of part?.nodes ?? []) expect(node.degree).toBe(degree(node.id))
            expect(part?.isComplete).toBe(true)
          }
          for (const to of ids) {
            const found = await space.graph.path(from, to)
            expect(found?.isComplete).toBe(true)
            expect(found?.path?.edges.length, `${from} to ${to}`).toBe(expected.get(to))
          }
        }
      }
    })

    test('a bound is never passed, and said when it left something out', async () => {
      const space = await subject().newSpace()
      const hub = entityOf({ name: 'hub' })
      await space.entities.insert(hub, NO_RECEIPT)
      for (let n = 0; n < 30; n += 1) {
        const leaf = entityOf({ type: n % 3 === 0 ? 'EVENT' : 'OTHER' })
        await space.entities.insert(leaf, NO_RECEIPT)
        await space.relations.insert(
          relationOf({ sourceId: leaf.id, targetId: hub.id }),
          NO_RECEIPT,
        )
      }
      const some = await space.graph.neighbourhood(hub.id, { depth: 3, nodesMax: 10 })
      expect([some?.nodes.length, some?.edges.length, some?.isComplete]).toEqual([10, 9, false])
      expect(some?.nodes[0]).toMatchObject({ id: hub.id, degree: 30, depth: 0 })
      const newest = await space.graph.newest({ nodesMax: 12 })
      expect([newest.nodes.length, newest.edges.length, newest.isComplete]).toEqual([12, 0, false])
      const all = await space.graph.newest({ nodesMax: 31 })
      expect([all.nodes.length, all.edges.length, all.isComplete]).toEqual([31, 30, true])
      const events = await space.graph.newest({ type: 'EVENT', nodesMax: 100 })
      expect([events.nodes.length, events.isComplete]).toEqual([10, true])
      expect(await space.graph.neighbourhood('ent_none', { depth: 1, nodesMax: 5 })).toBeUndefined()
      expect(await space.graph.path(hub.id, 'ent_none')).toBeUndefined()
    })

    test('a path has a bound on its relations, and that there may be a longer one is told', async () => {
      const space = await subject().newSpace()
      const chain = Array.from({ length: STEPS_MAX + 2 }, () => entityOf())
      for (let at = 0; at < chain.length; at += 50) {
        const some = chain.slice(at, at + 50)
        await Promise.all(some.map((entity) => space.entities.insert(entity, NO_RECEIPT)))
      }
      const ids = chain.map(({ id }) => id)
      for (let at = 0; at < ids.length - 1; at += 50) {
        const some = ids.slice(at, at + 51)
        await Promise.all(
          some.slice(1).map((targetId, before) => {
            const ends = { sourceId: some[before] ?? '', targetId }
            return space.relations.insert(relationOf(ends), NO_RECEIPT)
          }),
        )
      }
      const [first = '', second = '', last = ''] = [ids[0], ids[1], ids.at(-1)]
      const longest = await space.graph.path(second, last)
      expect([longest?.path?.edges.length, longest?.isComplete]).toEqual([STEPS_MAX, true])
      expect(await space.graph.path(first, last)).toEqual({ path: undefined, isComplete: false })
    })

    test('the newest come first, of equal age those with the greater id, of all types or of one', async () => {
      const space = await subject().newSpace()
      const ages = [30, 10, 20, 20, 20, 40, 10]
      const entities = ages.map((createdAt, n) =>
        entityOf({ createdAt, type: n % 2 === 0 ? 'EVENT' : 'OTHER' }),
      )
      for (const entity of entities) await space.entities.insert(entity, NO_RECEIPT)
      const newest = async (nodesMax: number, type?: 'EVENT') => {
        const { nodes } = await space.graph.newest({ nodesMax, type })
        return nodes.map(({ id }) => entities.findIndex((entity) => entity.id === id))
      }
      expect(await newest(4)).toEqual([5, 0, 4, 3])
      expect(await newest(3, 'EVENT')).toEqual([0, 4, 2])
    })

    test('those with a name come before those that begin with it, and these before all that have it', async () => {
      const space = await subject().newSpace()
      const names = ['Zoë', 'ZOE', 'Annazoe', 'Zoe Two', 'nobody', 'my zoë', 'zoey']
      for (const [createdAt, name] of names.entries()) {
        await space.entities.insert(entityOf({ name, createdAt }), NO_RECEIPT)
      }
      const named = async (text: string, max: number) => {
        const { items, total } = await space.graph.named(text, max)
        return [items.map(({ name }) => name), total]
      }
      const found = ['ZOE', 'Zoë', 'zoey', 'Zoe Two', 'my zoë', 'Annazoe']
      expect(await named('zoé', 100)).toEqual([found, 6])
      expect(await named('ZOE', 3)).toEqual([found.slice(0, 3), 6])
      expect(await named('%', 3)).toEqual([[], 0])
      expect(await named('', 2)).toEqual([['zoey', 'my zoë'], 7])
      const { items } = await space.graph.named('nobody', 1)
      expect(items).toStrictEqual([{ id: expect.any(String), name: 'nobody', type: 'PERSON' }])
    })

    test.each(['ent\0', '', '%'])(
      'an id that no entity has has no neighbours and no path: %j',
      async (id) => {
        const space = await subject().newSpace()
        const entity = entityOf()
        await space.entities.insert(entity, NO_RECEIPT)
        expect(await space.graph.neighbourhood(id, { depth: 1, nodesMax: 5 })).toBeUndefined()
        expect(await space.graph.path(id, entity.id)).toBeUndefined()
        expect(await space.graph.path(entity.id, id)).toBeUndefined()
      },
    )

    test('no read that takes turns is made for whoever has left', async () => {
      const { spaceId } = await subject().newSpace()
      const reason = new Error('left')
      const { graph } = subject().store.forSpace(spaceId, AbortSignal.abort(reason))
      const reads = [
        graph.counts(),
        graph.newest({ type: undefined, nodesMax: 1 }),
        graph.named('tea', 1),
        graph.path('a', 'b'),
        graph.neighbourhood('a', { depth: 1, nodesMax: 1 }),
        graph.mentions('tea', { after: undefined, limit: 1 }),
      ]
      for (const read of reads) await expect(read).rejects.toBe(reason)
    })

    test('nothing of another space is ever part of it', async () => {
      const [mine, other] = [await subject().newSpace(), await subject().newSpace()]
      const [a, b, foreign] = ['a', 'b', 'foreign a'].map((name) => entityOf({ name }))
      if (!a || !b || !foreign) throw new Error('There are three.')
      for (const space of [mine, other]) {
        await space.entities.insert(a, NO_RECEIPT)
        await space.entities.insert(b, NO_RECEIPT)
      }
      await other.entities.insert(foreign, NO_RECEIPT)
      await other.relations.insert(relationOf({ sourceId: a.id, targetId: b.id }), NO_RECEIPT)
      const memory = memoryOf({ content: 'a word about a' })
      await other.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
      expect(await mine.graph.counts()).toEqual({ memories: 0, entities: 2, relations: 0 })
      const part = await mine.graph.neighbourhood(a.id, { depth: 3, nodesMax: 9 })
      expect(part).toMatchObject({ edges: [], nodes: [{ id: a.id, degree: 0 }] })
      for (const type of [undefined, foreign.type]) {
        const { nodes, edges } = await mine.graph.newest({ type, nodesMax: 9 })
        expect([nodes.map(({ id }) => id).sort(), edges]).toEqual([[a.id, b.id].sort(), []])
      }
      expect(await mine.graph.named('a', 9)).toMatchObject({ total: 1, items: [{ id: a.id }] })
      const path = await mine.graph.path(a.id, b.id)
      expect(path).toEqual({ path: undefined, isComplete: true })
      expect((await mine.graph.mentions('a', { after: undefined, limit: 9 })).items).toEqual([])
    })

    test('mentions are whole words in order of age, page after page, each once, of this space alone', async () => {
      const space = await subject().newSpace()
      const texts = ['met Anna', 'ANNA!', 'Annabel', 'Änna', 'banana', '(anna)', 'C++ and anna']
      const memories = texts.map((content, n) =>
        memoryOf({ content, createdAt: n % 2 === 0 ? 2_000 : -1_000 }),
      )
      for (const memory of memories) {
        await space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
      }
      // Older than all of them, in another space.
      const other = await subject().newSpace()
      const foreign = memoryOf({ content: 'Anna is elsewhere', createdAt: -1_001 })
      await other.memories.insert(foreign, [pieceOf(foreign.content)], NO_RECEIPT)
      const contents: string[] = []
      let after: string | undefined
      do {
        const page = await space.graph.mentions('Anna', { after, limit: 2 })
        contents.push(...page.items.map(({ content }) => content))
        after = page.next
      } while (after !== undefined)
      expect(contents).toEqual(['C++ and anna', 'met Anna', '(anna)', 'Änna', 'ANNA!'])
      const symbols = await space.graph.mentions('C++', { after: undefined, limit: 9 })
      expect(symbols.items).toEqual([{ ...memories.at(-1), place: { start: 0, end: 3 } }])
    })

    test('a name in letters beyond the basic plane is no part of a longer word', async () => {
      const space = await subject().newSpace()
      // Of Adlam, the writing of Fulani.
      const name = '𞤀𞤣𞤢𞤥'
      const contents = [`${name}𞤲𞤢`, `𞤂𞤢${name}`, `(${name})`]
      for (const content of contents) {
        await space.memories.insert(memoryOf({ content }), [pieceOf(content)], NO_RECEIPT)
      }
      const { items } = await space.graph.mentions(name, { after: undefined, limit: 9 })
      expect(items.map(({ content }) => content)).toEqual([`(${name})`])
    })
  })
}
