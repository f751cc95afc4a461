// What storage/archive.ts promises, from each driver to each other one: everything arrives as it was,
// searches answer the same, and whoever is killed on the way loses nothing.
import { describe, expect, test } from 'vitest'
import type { ArchiveRecord, ArchiveSource, ArchiveTarget } from '../archive.ts'
import type { ScoredMemory, SpaceId, Store } from '../store.ts'
import { fillStore } from './filled-store.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, queryOf, relationOf, termOf } from './records.ts'
import { newKey } from './subject.ts'

/** Where a store lies. It is opened as often as a case wants, and removed by whoever made it. */
export type StorePlace = {
  open(): Promise<Store>
  openSource(): Promise<ArchiveSource>
  openTarget(): Promise<ArchiveTarget>
}

const BATCH = 7
const BEFORE_ALL_OTHERS = 1_000
const AFTER_ALL_OTHERS = 1_900_000_000_000

export function describeMoving(
  name: string,
  from: () => Promise<StorePlace>,
  to: () => Promise<StorePlace>,
): void {
  describe(name, () => {
    test('a move brings every record as it was', async () => {
      const [old, next] = [await from(), await to()]
      await filled(old)
      const archive = await readAll(old)
      await fill(next, archive)
      expect(inOneOrder(await readAll(next))).toEqual(inOneOrder(archive))
      expect((await readAll(next)).model).toMatchObject({ ...archive.model })
    })

    test('searches, lists and keys answer after a move as they did before', async () => {
      const [old, next] = [await from(), await to()]
      const { spaces, keyHashes, deletedMemory } = await filled(old)
      const before = await answers(old, spaces, keyHashes)
      await fill(next, await readAll(old))
      expect(await answers(next, spaces, keyHashes)).toEqual(before)
      const store = await next.open()
      const { accounts } = store.console
      expect(await accounts.findByEmail('ÜNÏ@example.COM')).toMatchObject({ role: 'administrator' })
      const found = store.idempotency.find(before.keyId, '~ key!', 0)
      expect(await found).toMatchObject({ recordId: deletedMemory })
      await store.close()
    })

    test('a store that was filled goes on with new keys, memories and deletions', async () => {
      const [old, next] = [await from(), await to()]
      const { spaces } = await filled(old)
      await fill(next, await readAll(old))
      const store = await next.open()
      const key = newKey()
      await store.keys.insert(key)
      const record = await store.keys.findByHash(key.hash)
      expect(spaces).not.toContain(record?.spaceId)
      const { memories } = store.forSpace(spaces[0] ?? (0 as SpaceId))
      const current = await store.generations.current()
      const memory = memoryOf({ content: 'new text' })
      await memories.insert(memory, [pieceOf('new text')], NO_RECEIPT, current?.number ?? 0)
      expect(await memories.remove(memory.id, NO_RECEIPT)).toBe(true)
      const { items } = await memories.page({}, { page: 1, limit: 100 })
      for (const { id } of items) expect(await memories.remove(id, NO_RECEIPT)).toBe(true)
      expect(await memories.page({}, { page: 1, limit: 1 })).toMatchObject({ total: 0 })
      await store.close()
    })

    test('an import that ends anywhere goes on there, and the store opens only when it is whole', async () => {
      const [old, next] = [await from(), await to()]
      await filled(old)
      const archive = await readAll(old)
      const batches = inBatches(archive.records)
      for (const [index, batch] of batches.entries()) {
        const target = await next.openTarget()
        const begun = await target.begin('archive', archive.model)
        expect(begun).toMatchObject({ blocks: index, isFinished: false })
        if (index > 0) expect(begun.checksum).toBe(`sum ${index}`)
        await target.add(batch, { blocks: index + 1, checksum: `sum ${index + 1}` })
        await target.close()
        await expect(next.open()).rejects.toThrow('is unfinished')
        await expect(next.openSource()).rejects.toThrow('is unfinished')
      }
      const target = await next.openTarget()
      await target.begin('archive', archive.model)
      await target.finish()
      await target.close()
      expect(inOneOrder(await readAll(next))).toEqual(inOneOrder(archive))
    })

    test('a batch that fails leaves nothing of itself', async () => {
      const next = await to()
      const target = await next.openTarget()
      await target.begin('archive', undefined)
      const space = { kind: 'space', space: 1, createdAt: 1 } as const
      const usage = { kind: 'usage', keyId: 'no key', month: '2026-01', operations: 1 } as const
      const failed = target.add([space, usage], { blocks: 1, checksum: 'x' })
      await expect(failed).rejects.toThrow()
      expect(await target.begin('archive', undefined)).toMatchObject({ blocks: 0, checksum: '' })
      await target.add([space], { blocks: 1, checksum: 'x' })
      await target.finish()
      await target.close()
      expect((await readAll(next)).records).toEqual([space])
    })

    test('a store with data takes no archive, and one that is being filled no other one', async () => {
      const next = await to()
      const target = await next.openTarget()
      await target.begin('archive', undefined)
      await expect(target.begin('other', undefined)).rejects.toThrow('another archive')
      await target.finish()
      expect(await target.begin('archive', undefined)).toMatchObject({ isFinished: true })
      await expect(target.begin('other', undefined)).rejects.toThrow('holds data already')
      await target.close()
      const used = await to()
      const store = await used.open()
      await store.keys.insert(newKey())
      await store.close()
      const late = await used.openTarget()
      await expect(late.begin('archive', undefined)).rejects.toThrow('holds data already')
      await late.close()
    })

    test('an empty store moves too', async () => {
      const [old, next] = [await from(), await to()]
      await (await old.open()).close()
      const archive = await readAll(old)
      expect(archive).toEqual({ model: undefined, records: [] })
      await fill(next, archive)
      await (await next.open()).close()
    })

    test('a source has what was there, and nothing that is written meanwhile', async () => {
      const old = await from()
      const store = await old.open()
      const { spaces, keyHashes } = await fillStore(store)
      const [space = 0 as SpaceId, hash = Buffer.of()] = [spaces[0], keyHashes[0]]
      const keyId = (await store.keys.findByHash(hash))?.id ?? ''
      const source = await old.openSource()
      const { counts } = source
      const current = await store.generations.current()
      const late = memoryOf({ createdAt: AFTER_ALL_OTHERS })
      const { id: recordId, createdAt } = late
      const idempotency = { keyId, idempotencyKey: 'late', fingerprint: 'x', recordId, createdAt }
      await store
        .forSpace(space)
        .memories.insert(late, [pieceOf(late.content)], { idempotency }, current?.number ?? 0)
      const lateKey = newKey()
      await store.keys.insert(lateKey)
      const charge = { keyId: lateKey.id, month: '2027-01' }
      await store.usage.add(
        [{ charge, operations: 1, lastUsedAt: createdAt }],
        [{ keyId: lateKey.id, day: '2027-01-01', kind: 'memories.list', count: 1 }],
      )
      const records = await Array.fromAsync(source.records())
      await source.close()
      for (const [kind, count] of Object.entries(counts)) {
        expect([kind, records.filter((each) => each.kind === kind).length]).toEqual([kind, count])
      }
      expect(records.some((each) => each.kind === 'memory' && each.id === late.id)).toBe(false)
      await store.close()
    })

    test('no create is remembered whose record came too late for the archive', async () => {
      const old = await from()
      const store = await old.open()
      const { spaces, keyHashes } = await fillStore(store)
      const [space = 0 as SpaceId, hash = Buffer.of()] = [spaces[0], keyHashes[0]]
      const keyId = (await store.keys.findByHash(hash))?.id ?? ''
      const { memories, entities, relations } = store.forSpace(space)
      const { number } = (await store.generations.current()) ?? { number: 0 }
      const under = (idempotencyKey: string, recordId: string, createdAt = BEFORE_ALL_OTHERS) => ({
        idempotency: { keyId, idempotencyKey, fingerprint: 'x', recordId, createdAt },
      })
      const [known, entity] = [memoryOf(), entityOf()]
      await memories.insert(known, [pieceOf(known.content)], under('known', known.id), number)
      const source = await old.openSource()
      // Their requests came before the archive was begun, and took longer.
      const late = memoryOf()
      const relation = relationOf({ sourceId: entity.id, targetId: entity.id })
      await memories.insert(late, [pieceOf(late.content)], under('late', late.id), number)
      await entities.insert(entity, under('late entity', entity.id))
      await relations.insert(relation, under('late relation', relation.id))
      const records = await Array.fromAsync(source.records())
      await source.close()
      const remembered = records.flatMap((each) =>
        each.kind === 'idempotency' ? [each.idempotencyKey] : [],
      )
      expect(remembered.toSorted()).toEqual(['known', '~ key!'])
      await store.close()
    })

    test('a clock that was set back leaves no relation without its ends', async () => {
      const [old, next] = [await from(), await to()]
      const store = await old.open()
      const { spaces } = await fillStore(store)
      const space = spaces[1] ?? (0 as SpaceId)
      const { entities, relations } = store.forSpace(space)
      const ahead = entityOf({ createdAt: AFTER_ALL_OTHERS })
      const ends = { sourceId: ahead.id, targetId: ahead.id }
      await entities.insert(ahead, NO_RECEIPT)
      const newest = relationOf(ends, { createdAt: AFTER_ALL_OTHERS })
      await relations.insert(newest, NO_RECEIPT)
      const source = await old.openSource()
      await relations.remove(newest.id, NO_RECEIPT)
      const late = entityOf()
      await entities.insert(late, NO_RECEIPT)
      for (const end of [{ sourceId: late.id }, { targetId: late.id }]) {
        await relations.insert(relationOf({ ...ends, ...end }), NO_RECEIPT)
      }
      const records = await Array.fromAsync(source.records())
      await source.close()
      await store.close()
      await fill(next, { model: source.model, records })
      expect(inOneOrder(await readAll(next))).toHaveLength(records.length)
    })

    test('deletions and creates while a source is read leave an archive that a store takes', async () => {
      const [old, next] = [await from(), await to()]
      const store = await old.open()
      const { spaces } = await fillStore(store, { memories: 20 })
      const before = await idsIn(store, spaces)
      const source = await old.openSource()
      const records: ArchiveRecord[] = []
      const late: string[] = []
      for await (const record of source.records()) {
        const isFirst = records.at(-1)?.kind !== record.kind
        records.push(record)
        // The last space that has records: what comes may get the numbers of what goes.
        if (isFirst) late.push(...(await exchangeNewest(store, spaces[1] ?? (0 as SpaceId))))
      }
      await source.close()
      const after = await idsIn(store, spaces)
      await store.close()
      const archived = new Set(records.flatMap((each) => ('id' in each ? [each.id] : [])))
      const stayed = after.filter((id) => before.includes(id))
      expect(stayed.length).toBeLessThan(before.length)
      expect(stayed.filter((id) => !archived.has(id))).toEqual([])
      expect(after.filter((id) => !before.includes(id))).not.toEqual([])
      expect(late.filter((id) => archived.has(id))).toEqual([])
      await fill(next, { model: source.model, records })
      expect(inOneOrder(await readAll(next))).toHaveLength(records.length)
    })
  })
}

/** Deletes the newest memory, relation and entity, and creates others, whose ids it returns. */
async function exchangeNewest(store: Store, space: SpaceId): Promise<string[]> {
  const { memories, entities, relations } = store.forSpace(space)
  const { number } = (await store.generations.current()) ?? { number: 0 }
  for (const records of [memories, relations, entities]) {
    const { items } = await records.page({}, { page: 1, limit: 1 })
    for (const { id } of items) await records.remove(id, NO_RECEIPT)
  }
  const memory = memoryOf()
  const entity = entityOf()
  const relation = relationOf({ sourceId: entity.id, targetId: entity.id })
  await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, number)
  await entities.insert(entity, NO_RECEIPT)
  await relations.insert(relation, NO_RECEIPT)
  return [memory.id, entity.id, relation.id]
}

async function idsIn(store: Store, spaces: SpaceId[]): Promise<string[]> {
  const all = { page: 1, limit: 1_000 }
  const pages = await Promise.all(
    spaces.map((space) => {
      const { memories, entities, relations } = store.forSpace(space)
      return Promise.all([memories.page({}, all), entities.page({}, all), relations.page({}, all)])
    }),
  )
  return pages.flat().flatMap(({ items }) => items.map(({ id }) => id))
}

type Whole = { model: ArchiveSource['model']; records: ArchiveRecord[] }

async function filled(place: StorePlace) {
  const store = await place.open()
  const all = await fillStore(store)
  await store.close()
  return all
}

async function readAll(place: StorePlace): Promise<Whole> {
  const source = await place.openSource()
  const records = await Array.fromAsync(source.records())
  await source.close()
  return { model: source.model, records }
}

/** Drivers differ in the order within a kind. */
function inOneOrder({ records }: Whole): ArchiveRecord[] {
  const name = (record: ArchiveRecord): string =>
    'id' in record && 'space' in record ? `${record.kind} ${record.space} ${record.id}` : ''
  return records.toSorted((a, b) => name(a).localeCompare(name(b)))
}

const inBatches = (records: ArchiveRecord[]): ArchiveRecord[][] =>
  Array.from({ length: Math.ceil(records.length / BATCH) }, (_each, index) =>
    records.slice(index * BATCH, (index + 1) * BATCH),
  )

async function fill(place: StorePlace, { model, records }: Whole): Promise<void> {
  const target = await place.openTarget()
  await target.begin('archive', model)
  for (const [index, batch] of inBatches(records).entries()) {
    await target.add(batch, { blocks: index + 1, checksum: `sum ${index + 1}` })
  }
  await target.finish()
  await target.close()
}

/** Everything that a caller could notice, of a store that nobody else has open. */
async function answers(place: StorePlace, spaces: SpaceId[], keyHashes: Buffer[]) {
  const store = await place.open()
  const found: ScoredMemory[][] = []
  const pages: unknown[] = []
  const { number } = (await store.generations.current()) ?? { number: 0 }
  const first = { page: 1, limit: 100 }
  for (const space of spaces) {
    const { memories, entities, relations } = store.forSpace(space)
    for (const direction of [
      [1, 0, 0, 0, 0],
      [0, 2, 1, 0, 3],
    ]) {
      const query = queryOf(direction, { terms: [termOf('drop'), termOf('memories')] })
      const cut = { limit: 100, threshold: 0, explains: true }
      for (const filter of [{}, { tags: ['ü'] }, { agentId: 'agent' }]) {
        found.push(await memories.search(query, filter, cut, number))
      }
    }
    pages.push(await memories.page({}, first), await entities.page({ search: 'ann' }, first))
    pages.push(await relations.page({}, first))
  }
  const keys = await Promise.all(keyHashes.map((hash) => store.keys.findByHash(hash)))
  const owned = await store.console.forAccount('acc_1').list('2027-01')
  const accounts = await store.console.accounts.list()
  await store.close()
  return { keyId: keys[0]?.id ?? '', found, pages, keys, owned, accounts }
}
