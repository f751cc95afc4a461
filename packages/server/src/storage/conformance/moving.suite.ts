// What storage/archive.ts promises, from each driver to each other one: everything arrives as it was,
// searches answer the same, and whoever is killed on the way loses nothing.
import { describe, expect, test } from 'vitest'
import type { ArchiveRecord } from '../archive.ts'
import type { ScoredMemory, SpaceId } from '../records.ts'
import { accountOf } from './account-records.ts'
import { fillStore } from './filled-store.ts'
import { fill, inBatches, readAll, type StorePlace, type Whole } from './moved-archive.ts'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf, termOf } from './records.ts'
import { newKey } from './subject.ts'

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

    test('an account is found by every spelling of its address after a move, and of two with one by its own', async () => {
      const next = await to()
      const records = [
        'ken@ｅxample。com',
        'dora@bücher.example',
        'dora@xn--bcher-kva.example',
        'eve@ｅxample.com',
        'eve@example.com',
      ].map((email, index): ArchiveRecord => {
        const account = { ...accountOf({ email, createdAt: index }), role: 'member' } as const
        return { kind: 'account', ...account }
      })
      await fill(next, { model: undefined, records })
      const store = await next.open()
      const found = async (email: string) =>
        (await store.console.accounts.findByEmail(email))?.email
      expect(await found('ken@example.com')).toBe('ken@ｅxample。com')
      expect(await found('dora@bücher.example')).toBe('dora@bücher.example')
      expect(await found('dora@xn--bcher-kva.example')).toBe('dora@xn--bcher-kva.example')
      expect(await found('eve@ｅxample.com')).toBe('eve@ｅxample.com')
      expect(await found('eve@example.com')).toBe('eve@example.com')
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
      const { memories } = store.forSpace(spaces[0])
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
  })
}

async function filled(place: StorePlace) {
  const store = await place.open()
  const all = await fillStore(store)
  await store.close()
  return all
}

/** Drivers differ in the order within a kind. */
function inOneOrder({ records }: Whole): ArchiveRecord[] {
  const name = (record: ArchiveRecord): string =>
    'id' in record && 'space' in record ? `${record.kind} ${record.space} ${record.id}` : ''
  return records.toSorted((a, b) => name(a).localeCompare(name(b)))
}

/** Everything that a caller could notice, of a store that nobody else has open. */
async function answers(
  place: StorePlace,
  spaces: readonly SpaceId[],
  keyHashes: readonly Buffer[],
) {
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
    const bySome = [
      { userId: 'user 你好' },
      { agentId: 'agent' },
      { tags: ['ü'] },
      { tags: ['a,b', 'ü'] },
    ]
    for (const filter of [{}, ...bySome]) pages.push(await memories.page(filter, first))
    for (const filter of [{}, { search: 'ann' }, { type: 'PRODUCT' as const }]) {
      pages.push(await entities.page(filter, first))
    }
    const whole = await relations.page({}, first)
    pages.push(whole)
    for (const { type, sourceId, targetId } of whole.items) {
      for (const filter of [{ type }, { sourceId }, { targetId }, { sourceId, targetId }]) {
        pages.push(await relations.page(filter, first))
      }
    }
  }
  const keys = await Promise.all(keyHashes.map((hash) => store.keys.findByHash(hash)))
  const owned = await store.console.forAccount('acc_1').list('2027-01')
  const accounts = await store.console.accounts.list()
  await store.close()
  return { keyId: keys[0]?.id ?? '', found, pages, keys, owned, accounts }
}
