// What storage/archive.ts promises of a source that is read beside callers who write: all that stayed is in
// the archive, nothing that came later is, and another store takes it.
import { describe, expect, test } from 'vitest'
import type { ArchiveRecord } from '../archive.ts'
import type { SpaceId } from '../records.ts'
import type { Store } from '../store.ts'
import { fillStore } from './filled-store.ts'
import { fill, readAll, type StorePlace } from './moved-archive.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from './records.ts'
import { newKey, storedKey } from './subject.ts'

const BEFORE_ALL_OTHERS = 1_000
const AFTER_ALL_OTHERS = 1_900_000_000_000

export function describeExporting(name: string, newPlace: () => Promise<StorePlace>): void {
  describe(name, () => {
    test('a source has what was there, and nothing that is written meanwhile', async () => {
      const { old, store, space, keyId, generation } = await filled(newPlace)
      const { memories } = store.forSpace(space)
      const source = await old.openSource()
      const { counts } = source
      const createdAt = AFTER_ALL_OTHERS
      const [late, gone] = [memoryOf({ createdAt }), memoryOf({ createdAt })]
      for (const memory of [late, gone]) {
        const made = { idempotencyKey: memory.id, recordId: memory.id, createdAt }
        const receipt = { idempotency: { keyId, fingerprint: 'x', ...made } }
        const pieces = [pieceOf(memory.content)]
        await memories.insert(memory, pieces, receipt, generation)
      }
      await memories.remove(gone.id, NO_RECEIPT)
      const lateKey = newKey()
      await store.keys.insert(lateKey)
      const charge = { keyId: lateKey.id, month: '2027-01' }
      await store.usage.add(
        [{ ...charge, operations: 1, lastUsedAt: createdAt }],
        [{ keyId: lateKey.id, day: '2027-01-01', kind: 'memories.list', count: 1 }],
      )
      // A clock that was set back.
      const early = memoryOf({ createdAt: BEFORE_ALL_OTHERS })
      const made = { idempotencyKey: 'early', recordId: early.id, createdAt: BEFORE_ALL_OTHERS }
      const receipt = { idempotency: { keyId: lateKey.id, fingerprint: 'x', ...made } }
      const { spaceId } = await storedKey(store.keys, lateKey)
      const ofLateKey = store.forSpace(spaceId).memories
      await ofLateKey.insert(early, [pieceOf(early.content)], receipt, generation)
      await ofLateKey.remove(early.id, NO_RECEIPT)
      const records = await Array.fromAsync(source.records())
      await source.close()
      for (const [kind, count] of Object.entries(counts)) {
        expect([kind, records.filter((each) => each.kind === kind).length]).toEqual([kind, count])
      }
      expect(records.some((each) => each.kind === 'memory' && each.id === late.id)).toBe(false)
      await store.close()
    })

    test('no create is remembered whose record came too late for the archive', async () => {
      const { old, store, space, keyId, generation } = await filled(newPlace)
      const { memories, entities, relations } = store.forSpace(space)
      const under = (idempotencyKey: string, recordId: string, createdAt = BEFORE_ALL_OTHERS) => ({
        idempotency: { keyId, idempotencyKey, fingerprint: 'x', recordId, createdAt },
      })
      const known = memoryOf()
      await memories.insert(known, [pieceOf(known.content)], under('known', known.id), generation)
      const last = entityOf()
      const lastRelation = relationOf({ sourceId: last.id, targetId: last.id })
      await entities.insert(last, NO_RECEIPT)
      await relations.insert(lastRelation, NO_RECEIPT)
      const source = await old.openSource()
      // What comes may get the numbers of what goes.
      await relations.remove(lastRelation.id, NO_RECEIPT)
      await entities.remove(last.id, NO_RECEIPT)
      // Their requests came before the archive was begun, and took longer.
      const late = memoryOf()
      await memories.insert(late, [pieceOf(late.content)], under('late', late.id), generation)
      for (const createdAt of [AFTER_ALL_OTHERS, BEFORE_ALL_OTHERS]) {
        const entity = entityOf({ createdAt })
        await entities.insert(entity, under(`entity ${createdAt}`, entity.id))
        const ends = { sourceId: entity.id, targetId: entity.id }
        const relation = relationOf(ends, { createdAt })
        await relations.insert(relation, under(`relation ${createdAt}`, relation.id))
      }
      const records = await Array.fromAsync(source.records())
      await source.close()
      const remembered = records.flatMap((each) =>
        each.kind === 'idempotency' ? [each.idempotencyKey] : [],
      )
      expect(remembered.toSorted()).toEqual(['known', '~ key!'])
      await store.close()
    })

    test('a clock that was set back leaves no relation without its ends', async () => {
      const [old, next] = [await newPlace(), await newPlace()]
      const store = await old.open()
      const { spaces } = await fillStore(store)
      const { entities, relations } = store.forSpace(spaces[1])
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
      expect((await readAll(next)).records).toHaveLength(records.length)
    })

    test('deletions and creates while a source is read leave an archive that a store takes', async () => {
      const [old, next] = [await newPlace(), await newPlace()]
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
        if (isFirst) late.push(...(await exchangeNewest(store, spaces[1])))
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
      expect((await readAll(next)).records).toHaveLength(records.length)
    })
  })
}

/** A store with something of everything, and its first key with its space. */
async function filled(newPlace: () => Promise<StorePlace>) {
  const old = await newPlace()
  const store = await old.open()
  const {
    spaces: [space],
    keyHashes: [hash],
  } = await fillStore(store)
  const { id: keyId } = await storedKey(store.keys, { hash })
  const { number: generation } = (await store.generations.current()) ?? { number: 0 }
  return { old, store, space, keyId, generation }
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

async function idsIn(store: Store, spaces: readonly SpaceId[]): Promise<string[]> {
  const all = { page: 1, limit: 1_000 }
  const pages = await Promise.all(
    spaces.map((space) => {
      const { memories, entities, relations } = store.forSpace(space)
      return Promise.all([memories.page({}, all), entities.page({}, all), relations.page({}, all)])
    }),
  )
  return pages.flat().flatMap(({ items }) => items.map(({ id }) => id))
}
