// What the types refuse is refused in plain JavaScript too, by the name of what is wrong, and nothing is asked.
import { expect, test } from 'vitest'
import { Mnemograph } from './index.ts'

const asked: string[] = []
const { memories, entities, relations } = new Mnemograph({
  apiKey: 'mng_keyOfTheTest',
  fetch: async (url) => {
    asked.push(url)
    throw new Error('It was asked.')
  },
})

/** As plain JavaScript calls it. What `all` refuses it throws at once. */
const call = async (method: unknown, of: object, ...given: unknown[]): Promise<unknown> => {
  if (typeof method !== 'function') throw new Error('There is no such method.')
  return method.apply(of, given)
}

async function refusal(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    () => 'no refusal',
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TypeError)
  expect(asked).toEqual([])
  return error instanceof Error ? error.message : ''
}

const NO_OBJECTS = [null, 'anna', 7, true, [], ['anna'], () => ({})]

test('what should be an object and is none is named: a text for a filter would have found everything', async () => {
  for (const given of [undefined, ...NO_OBJECTS]) {
    const refused = (method: unknown, of: object) => refusal(call(method, of, given))
    expect(await refused(memories.create, memories)).toBe(
      'record must be an object with content and userId.',
    )
    expect(await refused(entities.create, entities)).toBe(
      'record must be an object with name and type.',
    )
    expect(await refused(relations.create, relations)).toBe(
      'record must be an object with sourceId, targetId and type.',
    )
    expect(await refused(memories.search, memories)).toBe('search must be an object with query.')
    expect(await refused(memories.forget, memories)).toBe('user must be an object with userId.')
  }
  for (const given of NO_OBJECTS) {
    for (const records of [memories, entities, relations]) {
      for (const method of [records.list, records.all]) {
        expect(await refusal(call(method, records, given))).toMatch(
          /^query must be an object with any of \w+, .* and limit\.$/,
        )
      }
    }
  }
})

test('a filter that there is not is refused: it would find too much', async () => {
  const refused = (method: unknown, of: object, given: object) => refusal(call(method, of, given))
  for (const method of [memories.list, memories.all]) {
    expect(await refused(method, memories, { user_id: 'anna' })).toMatch(
      /^query cannot have user_id; is userId meant\? It can have userId, agentId, /,
    )
    expect(await refused(method, memories, { metadata: {} })).toMatch(
      /^query cannot have metadata\. It can have userId, agentId, .*limit\.$/,
    )
  }
  expect(await refused(memories.all, memories, { page: 2 })).toContain('cannot have page')
  expect(await refused(memories.search, memories, { query: 'tea', user: 'anna' })).toBe(
    'search cannot have user; is userId meant? It can have query, userId, agentId, tags, limit and threshold.',
  )
  expect(await refused(memories.forget, memories, { userId: 'anna', agentId: 'a' })).toBe(
    'user cannot have agentId. It can have userId.',
  )
  expect(await refused(entities.list, entities, { name: 'Anna' })).toBe(
    'query cannot have name. It can have type, search, page and limit.',
  )
  expect(await refused(relations.list, relations, { source: 'ent_1' })).toBe(
    'query cannot have source; is sourceId meant? It can have sourceId, targetId, type, page and limit.',
  )
})

test('a value that is missing is advised to be left out only where it may be', async () => {
  const refused = (method: unknown, given: object) => refusal(call(method, memories, given))
  expect(await refused(memories.list, { userId: undefined })).toBe(
    'userId is undefined. Leave it out if it is not meant.',
  )
  expect(await refused(memories.search, { query: 'tea', userId: undefined })).toBe(
    'userId is undefined. Leave it out if it is not meant.',
  )
  expect(await refused(memories.search, { query: undefined })).toBe(
    'query is undefined. It has to have a value.',
  )
  expect(await refused(memories.forget, { userId: undefined })).toBe(
    'userId is undefined. It has to have a value.',
  )
})

test('the tags of a list are a list', async () => {
  const refused = refusal(call(memories.list, memories, { tags: 'a' }))
  expect(await refused).toBe('tags must be a list of texts.')
})

test('an option of a call that there is not is refused', async () => {
  const memory = { content: 'tea', userId: 'anna' }
  expect(await refusal(call(memories.create, memories, memory, { timeout: 5 }))).toBe(
    'options cannot have timeout; is timeoutMs meant? ' +
      'It can have idempotencyKey, signal, timeoutMs and retries.',
  )
  expect(await refusal(call(memories.get, memories, 'mem_1', { idempotencyKey: 'a' }))).toBe(
    'options cannot have idempotencyKey. It can have signal, timeoutMs and retries.',
  )
  for (const given of NO_OBJECTS) {
    for (const [method, first] of [
      [memories.create, memory],
      [memories.list, {}],
      [memories.all, {}],
      [memories.get, 'mem_1'],
      [memories.delete, 'mem_1'],
      [memories.search, { query: 'tea' }],
    ]) {
      expect(await refusal(call(method, memories, first, given))).toMatch(
        /^options must be an object with any of .*signal, timeoutMs and retries\.$/,
      )
    }
  }
})

test('a signal is an AbortSignal', async () => {
  for (const signal of [7, {}, new AbortController()]) {
    expect(await refusal(call(memories.get, memories, 'mem_1', { signal }))).toBe(
      'signal must be an AbortSignal, such as the signal of an AbortController.',
    )
  }
})

test('an id is a text that is not empty', async () => {
  for (const id of [undefined, null, '', 7, { id: 'mem_1' }]) {
    for (const method of [memories.get, memories.delete]) {
      expect(await refusal(call(method, memories, id))).toBe(
        'id must be the id of a record: a text that is not empty.',
      )
    }
  }
})
