// What a call of forgetting promises: some of the work, and the truth about the rest.
import { expect, test } from 'vitest'
import type { MemoryStore } from '../storage/store.ts'
import { setClock } from '../testing/set-clock.ts'
import { forgetUser } from './forget.ts'

const nothing = () => {}

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
  return { left, memories: store }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `mem_${index}`)

test('all memories of a user are deleted, however many there are', async () => {
  for (const count of [0, 1, 20, 21, 200, 201, 1_000]) {
    const { left, memories } = memoriesOf('maria', ids(count))
    expect(await forgetUser({ memories }, 'maria', setClock())).toEqual({
      deleted: count,
      remaining: 0,
    })
    expect(left.size).toBe(0)
  }
})

test('a call that takes long says what remains, and the next ones go on', async () => {
  const clock = setClock()
  const { memories } = memoriesOf('maria', ids(100), () => clock.pass(100))
  const answers = []
  do answers.push(await forgetUser({ memories }, 'maria', clock))
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
  const { memories } = memoriesOf('maria', ids(40), minute, minute)
  expect(await forgetUser({ memories }, 'maria', clock)).toEqual({ deleted: 20, remaining: 20 })
})

test('what somebody else deletes meanwhile is not counted', async () => {
  const { left, memories } = memoriesOf('maria', ids(5), () => left.delete('mem_3'))
  expect(await forgetUser({ memories }, 'maria', setClock())).toEqual({ deleted: 4, remaining: 0 })
})

test('a deletion that fails fails the call, and the next call goes on', async () => {
  let failures = 1
  const { left, memories } = memoriesOf('maria', ids(30), (id) => {
    if (id === 'mem_2' && failures-- > 0) throw new Error('The store is away.')
  })
  await expect(forgetUser({ memories }, 'maria', setClock())).rejects.toThrow('away')
  expect(left.has('mem_2')).toBe(true)
  const { remaining } = await forgetUser({ memories }, 'maria', setClock())
  expect([remaining, left.size]).toEqual([0, 0])
})
