// A key is what the file has at the moment of the question, although it is read once between two commits. The
// case says when somebody has committed.
import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { KeyRecord, SpaceId } from '../records.ts'
import { knownKeys } from './known-keys.ts'

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

function setUp() {
  const stored = new Map<string, KeyRecord>()
  const read = vi.fn((hash: Buffer) => stored.get(hash.toString('hex')))
  let hasCommitted = true
  const watch = {
    hasCommitted: () => {
      const answer = hasCommitted
      hasCommitted = false
      return answer
    },
  }
  return {
    read,
    find: knownKeys(read, watch),
    commit(key: string, status: KeyRecord['status']) {
      const limits = { read: undefined, write: undefined, search: undefined }
      const hash = hashOf(key).toString('hex')
      stored.set(hash, {
        id: key,
        name: key,
        plan: 'free',
        limits,
        status,
        createdAt: 0,
        lastUsedAt: undefined,
        spaceId: 1 as SpaceId,
        accountId: undefined,
      })
      hasCommitted = true
    },
  }
}

test('a key is looked up once between two commits, and each one for itself', () => {
  const { read, find, commit } = setUp()
  commit('one', 'active')
  commit('two', 'active')
  for (let times = 0; times < 3; times += 1) {
    for (const key of ['one', 'two']) expect(find(hashOf(key))?.id).toBe(key)
  }
  expect(read).toHaveBeenCalledTimes(2)
})

test('what was committed holds for the very next question', () => {
  const { find, commit } = setUp()
  expect(find(hashOf('one'))).toBeUndefined()
  commit('one', 'active')
  expect(find(hashOf('one'))?.status).toBe('active')
  commit('one', 'revoked')
  expect(find(hashOf('one'))?.status).toBe('revoked')
})

test('after a lookup that failed the key is looked up again', () => {
  const { read, find, commit } = setUp()
  commit('one', 'active')
  find(hashOf('one'))
  commit('one', 'revoked')
  read.mockImplementationOnce(() => {
    throw new Error('The disk does not answer.')
  })
  expect(() => find(hashOf('one'))).toThrow('The disk')
  expect(find(hashOf('one'))?.status).toBe('revoked')
})

test('keys that do not exist take no memory, and take none from those that do', () => {
  const { read, find, commit } = setUp()
  commit('one', 'active')
  find(hashOf('one'))
  for (let no = 0; no < 10_000; no += 1) expect(find(hashOf(`none ${no}`))).toBeUndefined()
  read.mockClear()
  find(hashOf('one'))
  expect(read).not.toHaveBeenCalled()
})

test('of more keys than 10,000 between two commits none is known any more', () => {
  const { read, find, commit } = setUp()
  for (let no = 0; no <= 10_000; no += 1) commit(`key ${no}`, 'active')
  for (let no = 0; no <= 10_000; no += 1) find(hashOf(`key ${no}`))
  read.mockClear()
  find(hashOf('key 0'))
  expect(read).toHaveBeenCalledTimes(1)
})
