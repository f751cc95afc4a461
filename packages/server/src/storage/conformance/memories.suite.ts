// Memories: stored whole, listed newest first, gone when removed. Searching has a suite of its own.
import { describe, expect, test } from 'vitest'
import type { MemoryRecord } from '../records.ts'
import { type MemoryFilter, StoreError } from '../store.ts'
import { FIRST_PAGE, memoryOf, NO_RECEIPT, pieceOf, TEXTS } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

async function insertAll(space: FreshSpace, memories: MemoryRecord[]): Promise<void> {
  await Promise.all(
    memories.map((memory) => space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)),
  )
}

export function memoriesSuite(subject: () => Subject): void {
  describe('memories', () => {
    test('a memory comes back with everything that was given', async () => {
      const space = await subject().newSpace()
      const memory = memoryOf({ agentId: 'bot', tags: ['b', 'a'], metadata: '{"z":1,"a":[null]}' })
      await insertAll(space, [memory])
      expect(await space.memories.find(memory.id)).toEqual(memory)
      expect(await space.memories.page({}, FIRST_PAGE)).toEqual({ items: [memory], total: 1 })
    })

    test('what was not given is undefined, and empty metadata stays empty', async () => {
      const space = await subject().newSpace()
      const [bare, empty] = [memoryOf(), memoryOf({ metadata: '{}' })]
      await insertAll(space, [bare, empty])
      expect(await space.memories.find(bare.id)).toStrictEqual(bare)
      expect((await space.memories.find(empty.id))?.metadata).toBe('{}')
    })

    test.each(TEXTS)('%s come back exactly', async (_, text) => {
      const space = await subject().newSpace()
      const metadata = JSON.stringify({ [text]: text })
      const fields = { content: text, userId: text, agentId: text, tags: [text, `${text}2`] }
      const memory = memoryOf({ ...fields, metadata })
      await insertAll(space, [memory])
      expect(await space.memories.find(memory.id)).toEqual(memory)
      const filter = { userId: text, agentId: text, tags: [text] }
      expect((await space.memories.page(filter, FIRST_PAGE)).items).toEqual([memory])
    })

    test('an id that was never given is not found and not removed', async () => {
      const space = await subject().newSpace()
      for (const id of ['mem_none', '', "mem_'", '\u{10ffff}'.repeat(300)]) {
        expect(await space.memories.find(id)).toBeUndefined()
        expect(await space.memories.remove(id, NO_RECEIPT)).toBe(false)
      }
    })

    test('pages are newest first, the greater id first within one millisecond', async () => {
      const space = await subject().newSpace()
      const older = memoryOf({ createdAt: 1_000, id: 'mem_z' })
      const equal = ['mem_a', 'mem_B', 'mem_b'].map((id) => memoryOf({ createdAt: 2_000, id }))
      const newer = memoryOf({ createdAt: 3_000, id: 'mem_A' })
      await insertAll(space, [newer, ...equal, older])
      const { items } = await space.memories.page({}, FIRST_PAGE)
      expect(items.map(({ id }) => id)).toEqual(['mem_A', 'mem_b', 'mem_a', 'mem_B', 'mem_z'])
    })

    test('pages share no item, miss none, and know the total past the end', async () => {
      const space = await subject().newSpace()
      const memories = Array.from({ length: 7 }, () => memoryOf({ createdAt: 5 }))
      await insertAll(space, memories)
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => space.memories.page({}, { page, limit: 3 })),
      )
      expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 1, 0])
      expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7])
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
      expect(ids).toEqual(memories.map(({ id }) => id).toReversed())
      const last = await space.memories.page({}, { page: 1_000_000, limit: 100 })
      expect(last).toEqual({ items: [], total: 7 })
    })

    test('filters are joined with AND, and compare whole texts', async () => {
      const space = await subject().newSpace()
      const wanted = memoryOf({ userId: 'u', agentId: 'a', tags: ['x', 'y'] })
      await insertAll(space, [
        memoryOf({ userId: 'U', agentId: 'a', tags: ['x', 'y'] }),
        memoryOf({ userId: 'u ', agentId: 'a', tags: ['x', 'y'] }),
        memoryOf({ userId: 'u', agentId: undefined, tags: ['x', 'y'] }),
        memoryOf({ userId: 'u', agentId: 'a', tags: ['x'] }),
        memoryOf({ userId: 'u', agentId: 'a', tags: ['xy', 'x,y'] }),
        wanted,
      ])
      const filter = { userId: 'u', agentId: 'a', tags: ['y', 'x'] }
      expect(await space.memories.page(filter, FIRST_PAGE)).toEqual({ items: [wanted], total: 1 })
      const totalOf = async (one: object) => (await space.memories.page(one, FIRST_PAGE)).total
      expect(await totalOf({ userId: 'u' })).toBe(4)
      expect(await totalOf({ agentId: 'a' })).toBe(5)
      expect(await totalOf({ tags: ['x'] })).toBe(5)
      expect(await totalOf({ tags: ['x', 'y', 'x'] })).toBe(4)
      expect(await totalOf({ tags: [] })).toBe(6)
      expect(await totalOf({ userId: '%' })).toBe(0)
    })

    test('a list by tags alone counts those of its space that are left, by any number of tags', async () => {
      const [space, other] = [await subject().newSpace(), await subject().newSpace()]
      const tags = ['a', 'b', 'c', 'd', 'e']
      const gone = memoryOf({ tags })
      await insertAll(space, [...tags.map((_, no) => memoryOf({ tags: tags.slice(no) })), gone])
      await insertAll(other, [memoryOf({ tags })])
      await space.memories.remove(gone.id, NO_RECEIPT)
      for (let count = 1; count <= tags.length; count += 1) {
        const { items, total } = await space.memories.page({ tags: tags.slice(-count) }, FIRST_PAGE)
        expect([items.length, total]).toEqual([tags.length - count + 1, tags.length - count + 1])
      }
    })

    test('filters tell memories of one millisecond apart', async () => {
      const space = await subject().newSpace()
      const createdAt = 5
      const memories = [
        memoryOf({ createdAt, userId: 'u', agentId: 'a', tags: ['x'] }),
        memoryOf({ createdAt, userId: 'u', agentId: 'b', tags: ['y'] }),
        memoryOf({ createdAt, userId: 'v', agentId: 'a', tags: ['y'] }),
        memoryOf({ createdAt, userId: 'v', agentId: 'b', tags: ['x'] }),
      ]
      await insertAll(space, memories)
      const found = async (filter: MemoryFilter) => await space.memories.page(filter, FIRST_PAGE)
      for (const memory of memories) {
        const { userId, agentId, tags } = memory
        const only = { items: [memory], total: 1 }
        expect(await found({ userId, agentId })).toEqual(only)
        expect(await found({ userId, tags })).toEqual(only)
        expect(await found({ agentId, tags })).toEqual(only)
      }
      expect(await found({ tags: ['x', 'y'] })).toEqual({ items: [], total: 0 })
    })

    test('a tag may hold commas and white space, and is itself only', async () => {
      const space = await subject().newSpace()
      const tags = ['a,b', ' a', 'a ', 'a', '"a"', '[a]']
      const memories = tags.map((tag) => memoryOf({ tags: [tag] }))
      await insertAll(space, memories)
      for (const [index, tag] of tags.entries()) {
        const { items } = await space.memories.page({ tags: [tag] }, FIRST_PAGE)
        expect(items).toEqual([memories[index]])
      }
    })

    test('a filter may ask for any number of tags that a memory may have, and asks for each of them', async () => {
      const space = await subject().newSpace()
      const tags = Array.from({ length: 50 }, (_, index) => `tag ${index}`)
      const [all, almost] = [memoryOf({ tags }), memoryOf({ tags: tags.slice(0, -1) })]
      await insertAll(space, [all, almost])
      const itemsOf = async (asked: string[]) =>
        (await space.memories.page({ tags: asked }, FIRST_PAGE)).items
      expect(await itemsOf(tags.toReversed())).toEqual([all])
      expect(await itemsOf(tags.slice(1, 6))).toEqual([almost, all])
      for (let count = 0; count < tags.length; count += 1) {
        expect(await itemsOf([...tags.slice(0, count), 'none'])).toEqual([])
      }
    })

    test('a removed memory is gone, once', async () => {
      const space = await subject().newSpace()
      const [kept, doomed] = [memoryOf({ tags: ['t'] }), memoryOf({ tags: ['t'] })]
      await insertAll(space, [kept, doomed])
      expect(await space.memories.remove(doomed.id, NO_RECEIPT)).toBe(true)
      expect(await space.memories.find(doomed.id)).toBeUndefined()
      expect((await space.memories.page({ tags: ['t'] }, FIRST_PAGE)).items).toEqual([kept])
      expect(await space.memories.remove(doomed.id, NO_RECEIPT)).toBe(false)
    })

    test('a second memory with one id is refused, and the first one stays', async () => {
      const space = await subject().newSpace()
      const first = memoryOf({ tags: ['first'] })
      const second = memoryOf({ id: first.id, content: 'Another.', tags: ['second'] })
      await insertAll(space, [first])
      await expect(insertAll(space, [second])).rejects.toBeInstanceOf(StoreError)
      expect(await space.memories.find(first.id)).toEqual(first)
      expect((await space.memories.page({ tags: ['second'] }, FIRST_PAGE)).total).toBe(0)
    })
  })
}
