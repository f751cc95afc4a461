// What becomes of foreign records in a store that somebody else fills as well.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { NewMemory } from '../../../contract/memories.ts'
import { Memories } from '../../../core/memories.ts'
import { ModelInUse } from '../../../core/model-in-use.ts'
import { EmbedderUnavailable } from '../../../embedding/embedder.ts'
import { EndpointError } from '../../../embedding/openai/endpoint-error.ts'
import { newKey, storedKey } from '../../../storage/conformance/subject.ts'
import { openIn } from '../../../storage/sqlite/testing/store-in-folder.ts'
import { fakeEmbedder } from '../../../testing/fake-embedder.ts'
import { newFolder } from '../../../testing/new-folder.ts'
import { setClock } from '../../../testing/set-clock.ts'
import { createRecords } from './create-records.ts'
import { parseMcpMemory } from './mcp-memory.ts'

test('two imports of a file at the same time bring each record once, and none stops the other', async () => {
  const store = await openIn(newFolder())
  const key = newKey()
  await store.keys.insert(key)
  const { spaceId } = await storedKey(store.keys, key)
  const embedder = fakeEmbedder()
  const { number } = await store.generations.adopt({
    ...embedder.model,
    piecesVersion: 1,
    source: undefined,
  })
  const model = new ModelInUse(
    { generation: number, embedder },
    { generations: store.generations, open: () => never, onFailure: () => undefined },
  )
  onTestFinished(() => model.close())
  const service = { memories: new Memories(model), clock: setClock() }
  const names = Array.from({ length: 20 }, (_, number) => `Anna ${number}`)
  const lines = names.flatMap((name) => [
    { type: 'entity', name, entityType: 'person', observations: ['Likes tea', 'Speaks Latin'] },
    { type: 'relation', from: name, to: name, relationType: 'knows' },
  ])
  const file = lines.map((line) => JSON.stringify(line)).join('\n')
  const { records } = parseMcpMemory(file, 'u')
  const run = () =>
    createRecords(service, store.forSpace(spaceId), records, {
      onProgress: () => undefined,
      onAway: () => undefined,
      stop: new AbortController().signal,
    })
  const [first, second] = await Promise.all([run(), run()])
  expect(first.created + second.created).toBe(records.length)
  expect(first.wereThere + second.wereThere).toBe(records.length)
  expect([...first.leftOut, ...second.leftOut]).toEqual([])
})

test('the first failure ends an import, and nothing of it goes on behind its back', async () => {
  const { records } = parseMcpMemory(
    Array.from({ length: 200 }, (_, number) =>
      JSON.stringify({
        type: 'entity',
        name: `Anna ${number}`,
        entityType: 'person',
        observations: ['Likes tea'],
      }),
    ).join('\n'),
    'u',
  )
  const store = await openIn(newFolder())
  const key = newKey()
  await store.keys.insert(key)
  const { spaceId } = await storedKey(store.keys, key)
  const space = store.forSpace(spaceId)
  // A busy store would take longer to tell that there is none than the others take to be made.
  vi.spyOn(space.memories, 'find').mockResolvedValue(undefined)
  let begun = 0
  let underWay = 0
  const create = async (): Promise<void> => {
    begun += 1
    underWay += 1
    const isFirst = begun === 1
    await sleep(isFirst ? 0 : 20)
    underWay -= 1
    if (isFirst) throw new Error('The disk is full.')
  }
  const service = { memories: { create }, clock: setClock() }
  const imported = createRecords(service, space, records, {
    onProgress: () => undefined,
    onAway: () => undefined,
    stop: new AbortController().signal,
  })
  await expect(imported).rejects.toThrow('The disk is full.')
  expect(underWay).toBe(0)
  expect(begun).toBeLessThanOrEqual(64)
})

const never = new Promise<never>(() => undefined)

test('a text that the model will never take is left out and told, and all others are brought', async () => {
  const observations = Array.from({ length: 100 }, (_, number) => `Likes tea ${number}`)
  const line = { type: 'entity', name: 'Anna', entityType: 'person', observations }
  const { records } = parseMcpMemory(JSON.stringify(line), 'u')
  const store = await openIn(newFolder())
  const key = newKey()
  await store.keys.insert(key)
  const { spaceId } = await storedKey(store.keys, key)
  const create = async (_space: unknown, { content }: NewMemory): Promise<void> => {
    if (!content.endsWith(' tea 3')) return
    const refused = new EndpointError('The embedding service answered 400.')
    throw new EmbedderUnavailable('The embedding service failed.', refused)
  }
  const service = { memories: { create }, clock: setClock() }
  const outcome = await createRecords(service, store.forSpace(spaceId), records, {
    onProgress: () => undefined,
    onAway: () => undefined,
    stop: new AbortController().signal,
  })
  expect(outcome.created).toBe(records.length - 1)
  expect(outcome.leftOut).toEqual([
    'line 1, observation 4: the model failed on it. The embedding service answered 400.',
  ])
})

test('a model that is away for a moment is waited for, and people hear of it', async () => {
  const line = { type: 'entity', name: 'Anna', entityType: 'person', observations: ['Likes tea'] }
  const { records } = parseMcpMemory(JSON.stringify(line), 'u')
  const store = await openIn(newFolder())
  const key = newKey()
  await store.keys.insert(key)
  const { spaceId } = await storedKey(store.keys, key)
  let failures = 1
  const create = async (): Promise<void> => {
    if (failures-- > 0) throw new EmbedderUnavailable('away')
  }
  const service = { memories: { create }, clock: setClock() }
  const told: string[] = []
  const outcome = await createRecords(service, store.forSpace(spaceId), records, {
    onProgress: () => undefined,
    onAway: ({ reason }) => told.push(reason),
    stop: new AbortController().signal,
  })
  expect(told).toEqual(['away'])
  expect(outcome).toEqual({ created: 2, wereThere: 0, leftOut: [] })
})

test('a stop ends an import with the record under way, entities too', async () => {
  const lines = ['Anna', 'Ben', 'Cora'].map((name) =>
    JSON.stringify({ type: 'entity', name, entityType: 'person', observations: ['Likes tea'] }),
  )
  const { records } = parseMcpMemory(lines.join('\n'), 'u')
  const store = await openIn(newFolder())
  const key = newKey()
  await store.keys.insert(key)
  const { spaceId } = await storedKey(store.keys, key)
  const service = { memories: { create: async () => undefined }, clock: setClock() }
  const stopping = new AbortController()
  const outcome = await createRecords(service, store.forSpace(spaceId), records, {
    onProgress: () => stopping.abort(),
    onAway: () => undefined,
    stop: stopping.signal,
  })
  expect(outcome).toEqual({ created: 1, wereThere: 0, leftOut: [] })
})
