// Fills a store with at least one of everything that it can hold, odd texts included, so that whoever
// moves it has something to lose.
import type { NewKey, SpaceId } from '../records.ts'
import type { Store } from '../store.ts'
import { hashOf } from './account-records.ts'
import { entityOf, memoryOf, passageOf, pieceOf, relationOf, TEXTS } from './records.ts'
import { MODEL, newKey, replacementOf, storedKey } from './subject.ts'

const TIME = 1_800_000_000_000
const MONTH = '2027-01'

/** Of the key from before any account, of the one that replaced another, and of the one that was purged. */
type OfKeys<Value> = readonly [before: Value, replacement: Value, purged: Value]
type Filled = { spaces: OfKeys<SpaceId>; keyHashes: OfKeys<Buffer>; deletedMemory: string }

/** The store must be empty. `memories` come on top of those with something special. */
export async function fillStore(store: Store, { memories = 0 } = {}): Promise<Filled> {
  const before = newKey({ name: 'before any account' })
  await store.keys.insert(before)
  await store.generations.adopt({ ...MODEL, source: { kind: 'local', folder: '/models/ä' } })
  const accountIds = await fillAccounts(store)
  const [first = '', second = ''] = accountIds
  const limits = { read: 5, write: undefined, search: 7 }
  const replaced = newKey({ name: 'replaced "1"', plan: 'hobby', prefix: 'mng_abcd', limits })
  const purged = newKey({ name: 'purged' })
  await store.console.forAccount(first).insert(replaced)
  await store.console.forAccount(second).insert(purged)
  // Older by its time than the key that it replaces, as after a clock was set back.
  const replacement = replacementOf({ createdAt: 5 })
  await store.console.forAccount(first).replace(replaced.id, replacement)
  const keyHashes = [before.hash, replacement.hash, purged.hash] as const
  const spaceOf = async (key: Pick<NewKey, 'hash'>) => (await storedKey(store.keys, key)).spaceId
  const spaces = [await spaceOf(before), await spaceOf(replacement), await spaceOf(purged)] as const
  for (const space of spaces) await fillSpace(store, space, memories)
  await store.console.forAccount(second).revoke(purged.id)
  for (;;) {
    const step = await store.console.forAccount(second).purge(purged.id, TIME)
    if (typeof step !== 'object' || step.isDone) break
  }
  await store.usage.add(
    [
      { keyId: before.id, month: MONTH, operations: 3, lastUsedAt: TIME + 1 },
      { keyId: replaced.id, month: MONTH, operations: 1_000_000, lastUsedAt: TIME + 2 },
    ],
    [
      { keyId: before.id, day: `${MONTH}-02`, kind: 'memories.create', count: 4 },
      { keyId: before.id, day: `${MONTH}-02`, kind: 'error:NOT_FOUND', count: 1 },
    ],
  )
  const deletedMemory = await fillIdempotency(store, before.id, spaces[0])
  return { spaces, keyHashes, deletedMemory }
}

async function fillAccounts(store: Store): Promise<string[]> {
  const { accounts, links } = store.console
  const tokenHash = hashOf('set-up')
  const session = (name: string) => ({
    id: `ses_${name}`,
    tokenHash: hashOf(name),
    createdAt: TIME,
    lastSeenAt: TIME,
    endsAt: TIME + 1_000,
    address: '127.0.0.1',
    userAgent: 'x',
  })
  await links.insert({
    id: 'lnk_1',
    kind: 'set-up',
    tokenHash,
    email: undefined,
    plans: [],
    accountId: undefined,
    createdAt: TIME,
    expiresAt: TIME + 1_000,
  })
  await links.use({
    tokenHash,
    now: TIME,
    password: 'hash 1',
    session: session('1'),
    account: { id: 'acc_1', email: 'Ünï@Example.com', plans: ['free', 'hobby'], createdAt: TIME },
  })
  await accounts.insert(
    {
      id: 'acc_2',
      email: 'member@example.com',
      plans: ['free'],
      password: 'hash 2',
      createdAt: TIME,
    },
    { accountId: 'acc_2', ...session('2') },
  )
  return (await accounts.list()).map(({ id }) => id)
}

async function fillSpace(store: Store, space: SpaceId, more: number): Promise<void> {
  const { number } = (await store.generations.current()) ?? { number: 0 }
  const { memories, entities, relations } = store.forSpace(space)
  for (const [index, [, text]] of TEXTS.entries()) {
    const memory = memoryOf({
      content: text,
      userId: `user ${text.slice(0, 4)}`,
      tags: ['a,b', ' c ', 'ü'],
      agentId: index % 2 === 0 ? 'agent' : undefined,
      metadata: '{"b":1,"a":[1e300,"\\u0001"]}',
    })
    const half = Math.floor(text.length / 2)
    const pieces = [
      pieceOf(text.slice(0, half), [index, 1, 2, 3, 4], { commonness: 0.1 + 0.2 }),
      {
        ...passageOf(half, text.length, [5, index, 1, 0, 2], 0.5),
        sentences: [passageOf(half, text.length, [1, 1, index, 0, 0], undefined)],
      },
    ]
    await memories.insert(memory, pieces, {}, number)
  }
  const many = Array.from({ length: more }, (_each, made) => {
    const content = `Memory ${made} of many, about coffee and tea number ${made % 7}.`
    const memory = memoryOf({ content, tags: made % 3 === 0 ? ['third'] : [] })
    const direction = [made % 11, made % 7, made % 5, made % 3, 1]
    return memories.insert(memory, [pieceOf(content, direction)], {}, number)
  })
  await Promise.all(many)
  const [anna, coffee] = [
    entityOf({ name: 'Änna\u0301', description: '', metadata: '{}' }),
    entityOf({ name: 'Coffee', type: 'PRODUCT' }),
  ]
  await entities.insert(anna, {})
  await entities.insert(coffee, {})
  const ends = { sourceId: anna.id, targetId: coffee.id }
  await relations.insert(relationOf(ends, { type: 'LIKES', metadata: '{"n":1.5}' }), {})
  await relations.insert(relationOf({ sourceId: anna.id, targetId: anna.id }), {})
}

/** A memory that was created under a key of its caller's, and deleted since. */
async function fillIdempotency(store: Store, keyId: string, space: SpaceId): Promise<string> {
  const current = await store.generations.current()
  if (current === undefined) throw new Error('The store was not filled.')
  const memory = memoryOf({ content: 'deleted text' })
  const { memories } = store.forSpace(space)
  await memories.insert(
    memory,
    [pieceOf(memory.content)],
    {
      charge: { keyId, month: MONTH },
      idempotency: {
        keyId,
        idempotencyKey: '~ key!',
        fingerprint: 'print',
        recordId: memory.id,
        createdAt: TIME,
      },
    },
    current.number,
  )
  await memories.remove(memory.id, { charge: { keyId, month: MONTH } })
  return memory.id
}
