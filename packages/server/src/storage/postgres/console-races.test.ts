// What must happen once happens once, however many instances are asked at the same moment: two
// stores on one database, each with connections of its own.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../../testing/postgres.ts'
import {
  accountOf,
  linkOf,
  NOW,
  sessionOf,
  setUpLinkOf,
  useOf,
} from '../conformance/account-records.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { MODEL, newKey, replacementOf } from '../conformance/subject.ts'
import type { Store } from '../store.ts'
import { beforeCommit } from './testing/before-commit.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const MONTH = '2026-11'
const TIMES = 20

const open = (url: string): Promise<Store> => openStoreAt(url, 10)

describe.skipIf(server === undefined)('two instances on one database', () => {
  let database: TestDatabase
  let stores: Store[] = []

  beforeAll(async () => {
    database = await newDatabase(server ?? '')
    stores = await Promise.all([open(database.url), open(database.url)])
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await database.drop()
  })

  const store = (n: number): Store => {
    const chosen = stores[n % stores.length]
    if (chosen === undefined) throw new Error('The stores are open only while cases run.')
    return chosen
  }
  /** Half of them in each store, all at once. */
  const together = <Result>(ask: (store: Store, n: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: TIMES }, (_, n) => ask(store(n), n)))

  const member = async (): Promise<string> => {
    const account = accountOf()
    await store(0).console.accounts.insert(account, sessionOf(account.id))
    return account.id
  }
  const ownedKey = async () => {
    const accountId = await member()
    const key = newKey()
    await store(0).console.forAccount(accountId).insert(key)
    return { accountId, id: key.id }
  }

  // First: it looks at a database without any account.
  test('of several set-up links one is left, and of all its uses one makes the one account, whose are all keys', async () => {
    const links = Array.from({ length: TIMES }, () => setUpLinkOf())
    const inserted = await together(({ console }, n) =>
      console.links.insert(links[n] ?? setUpLinkOf()),
    )
    expect(inserted).toEqual(links.map(() => true))
    const found = await Promise.all(
      links.map(({ tokenHash }) => store(0).console.links.find(tokenHash, NOW)),
    )
    const left = links.filter((_, n) => found[n] !== undefined)
    expect(left).toHaveLength(1)
    const [link = setUpLinkOf()] = left
    const [outcomes] = await Promise.all([
      together(({ console }) => console.links.use(useOf(link))),
      together(({ keys }) => keys.insert(newKey())),
    ])
    expect(outcomes.filter(({ kind }) => kind === 'used')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'not-valid')).toHaveLength(TIMES - 1)
    const accounts = await store(1).console.accounts.list()
    expect(accounts.map(({ role }) => role)).toEqual(['administrator'])
    const owned = await store(0)
      .console.forAccount(accounts[0]?.id ?? '')
      .list(MONTH)
    expect(owned).toHaveLength(TIMES)
  })

  test('of all uses of an invitation one makes an account, and one session is there', async () => {
    const link = linkOf({ email: 'invited@example.com' })
    await store(0).console.links.insert(link)
    const uses = Array.from({ length: TIMES }, () => useOf(link))
    const outcomes = await together(({ console }, n) => console.links.use(uses[n] ?? useOf(link)))
    expect(outcomes.filter(({ kind }) => kind === 'used')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'not-valid')).toHaveLength(TIMES - 1)
    const sessions = await Promise.all(
      uses.map(({ session }) => store(1).console.sessions.findByHash(session.tokenHash)),
    )
    expect(sessions.filter((session) => session !== undefined)).toHaveLength(1)
  })

  test('an address has one account, whether it was invited or not, in whatever letters it is written', async () => {
    const [email, inPunycode] = ['both@bücher.example', 'Both@xn--bcher-kva.example']
    const link = linkOf({ email })
    await store(0).console.links.insert(link)
    const made = await together(async ({ console }, n) => {
      if (n % 3 === 0) return (await console.links.use(useOf(link))).kind === 'used'
      const account = accountOf({ email: n % 3 === 1 ? email : inPunycode })
      return (await console.accounts.insert(account, sessionOf(account.id))) === 'inserted'
    })
    expect(made.filter((isMade) => isMade)).toHaveLength(1)
  })

  test('of invitations for one address one is left', async () => {
    await together(({ console }) => console.links.insert(linkOf({ email: 'Often@example.com' })))
    const open = await store(0).console.links.invitations(NOW)
    expect(open.filter(({ email }) => email === 'Often@example.com')).toHaveLength(1)
  })

  test('of changes of a password and uses of a reset link one session is left', async () => {
    const id = await member()
    const link = linkOf({ kind: 'reset', email: 'reset@example.com', accountId: id })
    await store(0).console.links.insert(link)
    await together(async ({ console }, n) => {
      if (n % 2 === 0) await console.links.use(useOf(link))
      else {
        const compared = (await console.accounts.find(id))?.password ?? ''
        const asker = (await console.sessions.list(id))[0]?.id ?? ''
        const change = { asker, compared, changed: `new ${n}` }
        await console.accounts.changePassword(sessionOf(id), change)
      }
    })
    expect(await store(0).console.sessions.list(id)).toHaveLength(1)
    expect(await store(0).console.links.find(link.tokenHash, NOW)).toBeUndefined()
  })

  test('of all replacements of a key one is stored', async () => {
    const { accountId, id } = await ownedKey()
    const outcomes = await together(({ console }) =>
      console.forAccount(accountId).replace(id, replacementOf()),
    )
    expect(outcomes.filter((outcome) => outcome === 'replaced')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'was-replaced')).toHaveLength(TIMES - 1)
    const keys = await store(1).console.forAccount(accountId).list(MONTH)
    expect(keys.filter(({ status }) => status === 'active')).toHaveLength(1)
  })

  test('a key is purged or replaced, never both', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { accountId, id } = await ownedKey()
      await store(n).console.forAccount(accountId).revoke(id)
      const [step, outcome] = await Promise.all([
        store(n).console.forAccount(accountId).purge(id, NOW),
        store(n + 1)
          .console.forAccount(accountId)
          .replace(id, replacementOf()),
      ])
      const isPurged = typeof step === 'object' && step.isDone
      expect([isPurged, outcome]).toEqual(isPurged ? [true, 'was-purged'] : [false, 'replaced'])
    }
  })

  test('a purge waits for a create that has begun, and takes what it made along', async () => {
    const { accountId, id } = await ownedKey()
    const keys = store(0).console.forAccount(accountId)
    const { number } = await store(0).generations.adopt(MODEL)
    const charge = { keyId: id, month: MONTH }
    await store(0).usage.add([{ ...charge, operations: 1, lastUsedAt: 1 }])
    const key = await keys.revoke(id)
    if (key === undefined) throw new Error('The key was not stored.')
    const space = store(0).forSpace(key.spaceId)
    const memory = memoryOf()
    // It waits for the row of its month, as behind another operation of the key.
    const [created, step] = await beforeCommit(
      database.url,
      `SELECT 1 FROM usage WHERE key_id = '${id}' FOR UPDATE`,
      async (waiting) => {
        const create = space.memories.insert(memory, [pieceOf(memory.content)], { charge }, number)
        await expect.poll(waiting).toBe(1)
        return Promise.allSettled([create, store(1).console.forAccount(accountId).purge(id, NOW)])
      },
      2,
    )
    expect(created).toMatchObject({ status: 'fulfilled' })
    expect(step).toMatchObject({ status: 'fulfilled', value: { isDone: true } })
    expect(await space.graph.counts()).toEqual({ memories: 0, entities: 0, relations: 0 })
  })

  test('purges of one key at once, beside writes to its usage, remove everything', async () => {
    const { accountId, id } = await ownedKey()
    const key = await store(0).console.forAccount(accountId).find(id)
    if (key === undefined) throw new Error('The key was not stored.')
    const space = store(0).forSpace(key.spaceId)
    const { number } = await store(0).generations.adopt(MODEL)
    await together(async () => {
      const memory = memoryOf({ content: 'the same words in each' })
      await space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, number)
      const entity = entityOf()
      await space.entities.insert(entity, NO_RECEIPT)
      const ends = { sourceId: entity.id, targetId: entity.id }
      await space.relations.insert(relationOf(ends), NO_RECEIPT)
    })
    await store(0).console.forAccount(accountId).revoke(id)
    const charge = { keyId: id, month: MONTH }
    const steps = await together(async ({ console, usage }, n) => {
      if (n % 4 === 0) await usage.add([{ ...charge, operations: 1, lastUsedAt: n }])
      return console.forAccount(accountId).purge(id, NOW)
    })
    expect(steps).toEqual(steps.map(() => ({ isDone: true })))
    expect(await space.graph.counts()).toEqual({ memories: 0, entities: 0, relations: 0 })
  })
})
