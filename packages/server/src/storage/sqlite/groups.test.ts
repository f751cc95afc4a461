import { expect, test } from 'vitest'
import { Groups } from './groups.ts'

const grouped = (userId: string, tags: string[] = [], agentId?: string) => ({
  userId,
  tags,
  agentId,
})

test('a filter is answered with the smallest group that it names', () => {
  const groups = new Groups()
  groups.add(0, grouped('ann', ['one']))
  groups.add(1, grouped('ann', ['one', 'two'], 'bot'))
  groups.add(2, grouped('ben', ['one']))
  const among = (filter: object) => {
    const members = groups.smallest(filter, 10)
    return members && [...members]
  }
  expect(among({ userId: 'ann', tags: ['one'] })).toEqual([0, 1])
  expect(among({ userId: 'ann', tags: ['one', 'two'] })).toEqual([1])
  expect(among({ agentId: 'bot' })).toEqual([1])
  expect(among({ agentId: 'ann' }), 'a user is no agent').toEqual([])
  expect(among({ userId: 'ann', tags: ['three'] })).toEqual([])
  expect(among({ tags: [] })).toBeUndefined()
  expect(groups.smallest({ tags: ['one'] }, 2), 'too many').toBeUndefined()
})

test('a memory that was removed is in no group', () => {
  const groups = new Groups()
  const memory = grouped('ann', ['one'], 'bot')
  groups.add(0, memory)
  groups.add(1, grouped('ann'))
  groups.remove(0, memory)
  expect(groups.smallest({ userId: 'ann' }, 10)).toEqual(Uint32Array.of(1))
  expect(groups.smallest({ tags: ['one'] }, 10)).toEqual(new Uint32Array(0))
})
