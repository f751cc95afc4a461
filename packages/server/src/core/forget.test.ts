// What a call of forgetting promises: some of the work, and the truth about the rest.
import { afterEach, expect, test, vi } from 'vitest'
import type { SpaceId } from '../storage/records.ts'
import { type MemoryStore, StoreOverloaded } from '../storage/store.ts'
import { setClock } from '../testing/set-clock.ts'
import { Forgetting } from './forget.ts'

const nothing = () => {}
const [OWN, OTHER] = [1 as SpaceId, 2 as SpaceId]

/** The memories of one user. */
function memoriesOf(
  userId: string,
  ids: string[],
  onRemove: (id: string) => void = nothing,
  onPage: () => void = nothing,
) {
  const left = new Set(ids)
  const store: Pick<MemoryStore, 'page' | 'remove'> = {
    async page(filter, { limit }) {
      expect(filter).toEqual({ userId })
      onPage()
      const items = [...left].slice(0, limit).map((id) => ({
        ...{ id, userId, content: id, agentId: undefined, tags: [] },
        ...{ metadata: undefined, createdAt: 0 },
      }))
      return { items, total: left.size }
    },
    async remove(id, receipt) {
      // A deletion of this kind costs nothing.
      expect(receipt).toEqual({})
      onRemove(id)
      return left.delete(id)
    },
  }
  return { left, space: { spaceId: OWN, memories: store } }
}

afterEach(() => {
  vi.useRealTimers()
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => `mem_${index}`)

test('all memories of a user are deleted, however many there are', async () => {
  for (const count of [0, 1, 20, 21, 200, 201, 1_000]) {
    const { left, space } = memoriesOf('maria', ids(count))
    expect(await new Forgetting(setClock()).forget(space, 'maria')).toEqual({
      deleted: count,
      remaining: 0,
    })
    expect(left.size).toBe(0)
  }
})

test('a call that takes long says what remains, and the next ones go on', async () => {
  const clock = setClock()
  const { space } = memoriesOf('maria', ids(100), () => clock.pass(100))
  const answers = []
  do answers.push(await new Forgetting(clock).forget(space, 'maria'))
  while (answers.at(-1)?.remaining !== 0)
  expect(answers).toEqual([
    { deleted: 20, remaining: 80 },
    { deleted: 20, remaining: 60 },
    { deleted: 20, remaining: 40 },
    { deleted: 20, remaining: 20 },
    { deleted: 20, remaining: 0 },
  ])
})

test('each call comes further, however slow the store is', async () => {
  const clock = setClock()
  const minute = () => clock.pass(60_000)
  const { space } = memoriesOf('maria', ids(40), minute, minute)
  expect(await new Forgetting(clock).forget(space, 'maria')).toEqual({ deleted: 20, remaining: 20 })
})

test('what somebody else deletes meanwhile is not counted', async () => {
  const { left, space } = memoriesOf('maria', ids(5), () => left.delete('mem_3'))
  expect(await new Forgetting(setClock()).forget(space, 'maria')).toEqual({
    deleted: 4,
    remaining: 0,
  })
})

test('what comes while a call takes long is told to remain', async () => {
  const clock = setClock()
  const { left, space } = memoriesOf('maria', ids(20), (id) => {
    clock.pass(1_000)
    if (id === 'mem_0') left.add('mem_late')
  })
  const first = await new Forgetting(clock).forget(space, 'maria')
  expect(first).toEqual({ deleted: 20, remaining: 1 })
})

test('a deletion that fails fails the call, and the next call goes on', async () => {
  let failures = 1
  const { left, space } = memoriesOf('maria', ids(30), (id) => {
    if (id === 'mem_2' && failures-- > 0) throw new Error('The store is away.')
  })
  await expect(new Forgetting(setClock()).forget(space, 'maria')).rejects.toThrow('away')
  expect(left.has('mem_2')).toBe(true)
  const { remaining } = await new Forgetting(setClock()).forget(space, 'maria')
  expect([remaining, left.size]).toEqual([0, 0])
})

test('calls of one space side by side delete no memory twice', async () => {
  const asked: string[] = []
  const { space } = memoriesOf('maria', ids(500), (id) => asked.push(id))
  const forgetting = new Forgetting(setClock())
  const answers = await Promise.all(ids(10).map(() => forgetting.forget(space, 'maria')))
  expect(asked).toHaveLength(500)
  expect(answers.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(500)
  expect(answers.map(({ remaining }) => remaining)).toEqual(ids(10).map(() => 0))
})

test('spaces take turns, a page each, however many calls one has', async () => {
  const pages: string[] = []
  const { space } = memoriesOf('maria', ids(1_000), nothing, () => pages.push('own'))
  const other = memoriesOf('maria', ids(1), nothing, () => pages.push('other')).space
  const forgetting = new Forgetting(setClock())
  const many = ids(45).map(() => forgetting.forget(space, 'maria'))
  await forgetting.forget({ ...other, spaceId: OTHER }, 'maria')
  expect(pages.slice(0, 6)).toEqual(['own', 'own', 'other', 'own', 'own', 'other'])
  await Promise.all(many)
})

test('a call whose turn does not come is refused, and the others go on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  const { space } = memoriesOf('maria', ids(1))
  const page: typeof space.memories.page = async (...asked) => {
    await held
    return space.memories.page(...asked)
  }
  const forgetting = new Forgetting(setClock())
  const first = forgetting.forget({ ...space, memories: { ...space.memories, page } }, 'maria')
  const second = forgetting.forget(space, 'maria')
  const refused = expect(second).rejects.toThrow(StoreOverloaded)
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  letGo(undefined)
  expect(await first).toEqual({ deleted: 1, remaining: 0 })
  expect(await forgetting.forget(space, 'maria')).toEqual({ deleted: 0, remaining: 0 })
})
