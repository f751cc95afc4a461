// Moving a store to another generation of vectors, as a process beside its servers does it: what
// each step leaves, what a server sees of it, and that it can end and go on anywhere.
import { afterEach, describe, expect, test } from 'vitest'
import type { ReembeddingStore } from '../generation.ts'
import type { MemoryRecord } from '../records.ts'
import type { Store } from '../store.ts'
import { memoryOf, NO_RECEIPT, passageOf, pieceOf, queryOf, termOf } from './records.ts'
import { type FreshSpace, type OpenStore, OTHER_MODEL, subjectOf } from './subject.ts'

const LIMITS = { memoriesMax: 2, charactersMax: 1_000_000 }
const NO_REST = { restMax: 0, waitMsMax: 1_000, embed: async () => [] }
const EVERYTHING = { limit: 100, threshold: 0 }
const OLD = [1, 0, 0, 0, 0]
const NEW = [0, 1, 0, 0, 0]

type Moving = { store: Store; space: FreshSpace; mover: ReembeddingStore }

export function reembeddingSuite(open: OpenStore): void {
  describe('re-embedding', () => {
    const opened: { close(): Promise<void> }[] = []
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close()
    })

    async function moving(): Promise<Moving & { again: () => Promise<ReembeddingStore> }> {
      const { store, openReembedding } = await open()
      opened.push(store)
      const again = async () => {
        const mover = await openReembedding()
        opened.unshift(mover)
        return mover
      }
      return { store, space: await subjectOf(store).newSpace(), mover: await again(), again }
    }

    const insert = async (space: FreshSpace, generation?: number, direction = OLD) => {
      const memory = memoryOf()
      await space.memories.insert(memory, [pieceOf('', direction)], NO_RECEIPT, generation)
      return memory
    }

    /** Embeds whatever is missing with vectors in the direction. Returns the contents. */
    async function addAll(mover: ReembeddingStore, direction = NEW): Promise<string[]> {
      const contents: string[] = []
      for (;;) {
        const batch = await mover.missing(LIMITS)
        if (batch.length === 0) return contents
        contents.push(...batch.map(({ content }) => content))
        await mover.add(batch.map(({ ref }) => ({ ref, pieces: [pieceOf('', direction)] })))
      }
    }

    async function removeAll(mover: ReembeddingStore): Promise<void> {
      while (await mover.removeRetired());
    }

    /** The score of each memory, by how near its vectors are to the direction, and by its words. */
    async function scores(
      space: FreshSpace,
      generation: number,
      direction: number[],
      words: string[] = [],
    ) {
      const query = queryOf(direction, { terms: words.map((word) => termOf(word)) })
      const found = await space.memories.search(query, {}, EVERYTHING, generation)
      return new Map(found.map(({ id, score }) => [id, score]))
    }

    test('until the switch searches see the old vectors, and after it the new ones', async () => {
      const { store, space, mover } = await moving()
      const memories = [await insert(space), await insert(space), await insert(space)]
      const before = await store.generations.current()
      const grown = await mover.begin(OTHER_MODEL)
      expect(await store.generations.current()).toEqual(before)
      expect(await addAll(mover)).toEqual(memories.map(({ content }) => content))
      expect([...(await scores(space, before?.number ?? 0, OLD)).values()]).toEqual([1, 1, 1])
      expect(await mover.switchOver(NO_REST)).toBe(true)
      expect(await store.generations.current()).toEqual({ ...OTHER_MODEL, number: grown.number })
      const after = await scores(space, grown.number, NEW)
      expect([...after.values()]).toEqual([1, 1, 1])
      await removeAll(mover)
      expect(await scores(space, grown.number, NEW)).toEqual(after)
      expect(await mover.state()).toMatchObject({ growing: undefined, hasRetired: false })
    })

    test('words weigh by the memories of the generation in use, whatever the growing one has', async () => {
      const { store, space, mover } = await moving()
      for (const content of ['red', 'blue', 'blue and green', 'blue too']) {
        await space.memories.insert(memoryOf({ content }), [pieceOf(content, OLD)], NO_RECEIPT)
      }
      const scoresOf = (generation: number) =>
        scores(space, generation, [1, 1, 0, 0, 0], ['red', 'blue'])
      const inUse = (await store.generations.current())?.number ?? 0
      const before = await scoresOf(inUse)
      expect(new Set(before.values()).size).toBe(2)
      const grown = await mover.begin(OTHER_MODEL)
      // Of its pieces none has a word.
      await addAll(mover)
      expect(await scoresOf(inUse)).toEqual(before)
      await mover.switchOver(NO_REST)
      expect(new Set((await scoresOf(grown.number)).values()).size).toBe(1)
    })

    test('vectors of a generation that is not in use are refused, and nothing is stored', async () => {
      const { store, space, mover } = await moving()
      await insert(space)
      const old = (await store.generations.current())?.number ?? 0
      const grown = (await mover.begin(OTHER_MODEL)).number
      await addAll(mover)
      const outdated = { name: 'StoreError', kind: 'outdated' }
      const receipt = { charge: { keyId: space.keyId, month: '2026-11' } }
      const insertion = (generation: number) =>
        space.memories.insert(memoryOf(), [pieceOf('')], receipt, generation)
      await expect(insertion(grown)).rejects.toMatchObject(outdated)
      await expect(scores(space, grown, NEW)).rejects.toMatchObject(outdated)
      // A driver that keeps an index of the old vectors has it now.
      await scores(space, old, OLD)
      await mover.switchOver(NO_REST)
      await expect(insertion(old)).rejects.toMatchObject(outdated)
      await expect(scores(space, old, OLD)).rejects.toMatchObject(outdated)
      expect((await space.memories.page({}, { page: 1, limit: 10 })).total).toBe(1)
      expect(await store.usage.read(receipt.charge)).toBe(0)
      await insertion(grown)
      expect(await store.usage.read(receipt.charge)).toBe(1)
    })

    test('of vectors that arrive together those of the generation in use are stored, and no others', async () => {
      const { store, space, mover } = await moving()
      const inUse = (await store.generations.current())?.number
      const { number } = await mover.begin(OTHER_MODEL)
      const arrived = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => insert(space, n % 2 === 0 ? inUse : number)),
      )
      const stored = arrived.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))
      expect(stored).toEqual(Array.from({ length: 10 }, (_, n) => 2 * n))
      expect((await space.memories.page({}, { page: 1, limit: 1 })).total).toBe(10)
    })

    test('what is created meanwhile is embedded too before the switch can be made', async () => {
      const { store, space, mover } = await moving()
      const memories: MemoryRecord[] = [await insert(space)]
      const { number } = await mover.begin(OTHER_MODEL)
      await addAll(mover)
      memories.push(await insert(space))
      expect(await mover.switchOver(NO_REST)).toBe(false)
      await addAll(mover)
      memories.push(await insert(space))
      expect(await mover.switchOver(NO_REST)).toBe(false)
      const embed = async () => [pieceOf('', NEW)]
      expect(await mover.switchOver({ restMax: 1, waitMsMax: 10_000, embed })).toBe(true)
      memories.push(await insert(space, number, NEW))
      expect((await store.generations.current())?.number).toBe(number)
      const found = await scores(space, number, NEW)
      expect(found).toEqual(new Map(memories.toReversed().map(({ id }) => [id, 1])))
    })

    test('a rest of more memories than the switch may embed is left as it is', async () => {
      const { space, mover } = await moving()
      for (const content of ['one', 'another']) {
        await space.memories.insert(memoryOf({ content }), [pieceOf(content)], NO_RECEIPT)
      }
      await mover.begin(OTHER_MODEL)
      const embed = async () => [pieceOf('', NEW)]
      expect(await mover.switchOver({ restMax: 1, waitMsMax: 10_000, embed })).toBe(false)
      expect(await mover.progress()).toEqual({ memories: 2, embedded: 0 })
      expect(await mover.switchOver({ restMax: 2, waitMsMax: 10_000, embed })).toBe(true)
    })

    test('a rest that takes too long is left, and others can write again', async () => {
      const { space, mover } = await moving()
      await insert(space)
      await mover.begin(OTHER_MODEL)
      const embed = () => new Promise<never>(() => undefined)
      expect(await mover.switchOver({ restMax: 1, waitMsMax: 50, embed })).toBe(false)
      await insert(space)
      expect(await mover.missing(LIMITS)).toHaveLength(2)
    })

    test('a rest that fails leaves everything as it was', async () => {
      const { store, space, mover } = await moving()
      await insert(space)
      const before = await store.generations.current()
      await mover.begin(OTHER_MODEL)
      const failure = new Error('no model')
      const embed = () => Promise.reject(failure)
      const switching = mover.switchOver({ restMax: 1, waitMsMax: 1_000, embed })
      await expect(switching).rejects.toBe(failure)
      expect(await store.generations.current()).toEqual(before)
      await insert(space)
    })

    test('what is deleted meanwhile is not embedded, and stays away', async () => {
      const { space, mover } = await moving()
      const [early, kept, late] = [await insert(space), await insert(space), await insert(space)]
      const { number } = await mover.begin(OTHER_MODEL)
      const batch = await mover.missing({ ...LIMITS, memoriesMax: 3 })
      await space.memories.remove(early.id, NO_RECEIPT)
      await mover.add(batch.map(({ ref }) => ({ ref, pieces: [pieceOf('', NEW)] })))
      await space.memories.remove(late.id, NO_RECEIPT)
      expect(await mover.missing(LIMITS)).toEqual([])
      expect(await mover.progress()).toEqual({ memories: 1, embedded: 1 })
      expect(await mover.switchOver(NO_REST)).toBe(true)
      expect([...(await scores(space, number, NEW)).keys()]).toEqual([kept.id])
    })

    test('another process goes on where one has ended, whatever was under way', async () => {
      const { space, mover, again } = await moving()
      const memories = [await insert(space), await insert(space), await insert(space)]
      const { number } = await mover.begin(OTHER_MODEL)
      const batch = await mover.missing(LIMITS)
      await mover.add(batch.map(({ ref }) => ({ ref, pieces: [pieceOf('', NEW)] })))
      await mover.close()
      opened.splice(opened.indexOf(mover), 1)
      const second = await again()
      expect((await second.state()).growing).toEqual({ ...OTHER_MODEL, number })
      expect(await second.progress()).toEqual({ memories: 3, embedded: 2 })
      // The same batch again, as when the answer to the first add never came.
      await second.add(batch.map(({ ref }) => ({ ref, pieces: [pieceOf('', OLD)] })))
      expect(await addAll(second)).toEqual([memories[2]?.content])
      expect(await second.switchOver(NO_REST)).toBe(true)
      expect([...(await scores(space, number, NEW)).values()]).toEqual([1, 1, 1])
    })

    test('where the model of an unfinished generation is found can be noted, and that in use keeps its place', async () => {
      const { store, space, mover } = await moving()
      await insert(space)
      const before = await store.generations.current()
      const grown = await mover.begin(OTHER_MODEL)
      const source = { kind: 'local' as const, folder: '/elsewhere' }
      await mover.locate(source)
      expect(await mover.state()).toMatchObject({ current: before, growing: { ...grown, source } })
      await addAll(mover)
      await mover.switchOver(NO_REST)
      expect(await store.generations.current()).toEqual({ ...grown, source })
    })

    test('an unfinished generation can be given up, and its number is never used again', async () => {
      const { store, space, mover } = await moving()
      const { id, content } = await insert(space)
      const before = await store.generations.current()
      const given = await mover.begin(OTHER_MODEL)
      const missing = await mover.missing(LIMITS)
      expect(missing).toMatchObject([{ id, content }])
      const long = pieceOf('', NEW, { sentences: [passageOf(0, 1, OLD), passageOf(1, 2, NEW)] })
      await mover.add(missing.map(({ ref }) => ({ ref, pieces: [long, long] })))
      expect(await mover.missing(LIMITS)).toEqual([])
      await mover.discard()
      expect(await mover.state()).toEqual({ current: before, growing: undefined, hasRetired: true })
      await removeAll(mover)
      const next = await mover.begin(OTHER_MODEL)
      expect(next.number).toBeGreaterThan(given.number)
      expect(await mover.progress()).toEqual({ memories: 1, embedded: 0 })
      expect(await addAll(mover)).toHaveLength(1)
    })

    test('what comes into a space whose memories are all embedded is embedded before the switch', async () => {
      const { store, space, mover } = await moving()
      const second = await subjectOf(store).newSpace()
      await insert(space)
      await insert(second)
      await mover.begin(OTHER_MODEL)
      for (let n = 0; n < 2; n += 1) {
        const batch = await mover.missing({ ...LIMITS, memoriesMax: 1 })
        await mover.add(batch.map(({ ref }) => ({ ref, pieces: [pieceOf('', NEW)] })))
      }
      const late = await insert(space)
      expect(await addAll(mover)).toEqual([late.content])
      expect(await mover.switchOver(NO_REST)).toBe(true)
    })

    test('what a batch has left out is not counted as embedded, and is missing as before', async () => {
      const { space, mover, again } = await moving()
      for (let n = 0; n < 3; n += 1) await insert(space)
      await mover.begin(OTHER_MODEL)
      const [first, ...others] = await mover.missing({ ...LIMITS, memoriesMax: 3 })
      await mover.add(others.map(({ ref }) => ({ ref, pieces: [pieceOf('', NEW)] })))
      expect(await mover.progress()).toEqual({ memories: 3, embedded: 2 })
      expect(await mover.missing(LIMITS)).toEqual([first])
      await mover.close()
      const next = await again()
      expect(await next.progress()).toEqual({ memories: 3, embedded: 2 })
      expect(await next.missing(LIMITS)).toEqual([first])
      expect(await next.switchOver(NO_REST)).toBe(false)
    })

    test('batches stop at the characters, and one text is always among them', async () => {
      const { space, mover } = await moving()
      for (const content of ['a'.repeat(500), 'ж'.repeat(100), 'щ'.repeat(100)]) {
        await space.memories.insert(memoryOf({ content }), [pieceOf(content)], NO_RECEIPT)
      }
      await mover.begin(OTHER_MODEL)
      const sizes: number[] = []
      for (;;) {
        const batch = await mover.missing({ memoriesMax: 10, charactersMax: 250 })
        if (batch.length === 0) break
        sizes.push(batch.length)
        await mover.add(batch.map(({ ref }) => ({ ref, pieces: [pieceOf('', NEW)] })))
      }
      expect(sizes).toEqual([1, 2])
    })

    test('a memory is never counted as embedded without a piece, nor are others that came with it', async () => {
      const { space, mover } = await moving()
      await insert(space)
      await insert(space)
      await mover.begin(OTHER_MODEL)
      const missing = await mover.missing(LIMITS)
      const embedded = missing.map(({ ref }, place) => ({
        ref,
        pieces: place === 0 ? [pieceOf('', NEW)] : [],
      }))
      await expect(mover.add(embedded)).rejects.toThrow()
      expect(await mover.progress()).toEqual({ memories: 2, embedded: 0 })
      expect(await mover.switchOver(NO_REST)).toBe(false)
    })

    test('a second process is refused while one is at work', async () => {
      const { again } = await moving()
      await expect(again()).rejects.toMatchObject({ name: 'StoreRefusal' })
    })
  })
}
