// What is sent to the console's interface once more, since its answer was lost, is made once, as under /v1.
import { afterAll, expect, test } from 'vitest'
import { setUpConsole } from '../../testing/console-client.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
const admin = await setUpConsole(service)
afterAll(() => service[Symbol.asyncDispose]())

async function space() {
  const { body } = await admin.post('/keys', { name: 'app', plan: 'free' })
  const at = `/keys/${Object(body).key.id}`
  const create = (path: string, json: object, idempotencyKey: string) =>
    admin.post(`${at}/${path}`, json, { headers: { 'idempotency-key': idempotencyKey } })
  const entity = { name: 'Anna', type: 'PERSON' }
  const { id } = await admin.post(`${at}/entities`, entity)
  return {
    at,
    create,
    bodies: {
      memories: { content: 'Anna likes tea.', userId: 'anna' },
      entities: entity,
      relations: { sourceId: id, targetId: id, type: 'KNOWS' },
    },
    total: async (path: string) => Object((await admin.get(`${at}/${path}`)).body).pagination.total,
    used: async () => {
      const { body: listed } = await admin.get('/keys')
      return Object(listed).items.find((key: { id: string }) => at.endsWith(key.id)).usage.used
    },
  }
}

test.each(['memories', 'entities', 'relations'] as const)(
  'of %s one is made however often it is sent with one Idempotency-Key, and it draws on no quota',
  async (path) => {
    const { create, bodies, total, used } = await space()
    const before = await total(path)
    const answers = [
      await create(path, bodies[path], 'once'),
      ...(await Promise.all([1, 2].map(() => create(path, bodies[path], 'once')))),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
    expect(await total(path)).toBe(before + 1)
    await create(path, bodies[path], 'again')
    expect(await total(path)).toBe(before + 2)
    expect(await used()).toBe(0)
  },
)

test('another text with the same Idempotency-Key is refused, and so is anything for a revoked key', async () => {
  const { at, create, bodies, total } = await space()
  await create('memories', bodies.memories, 'once')
  const other = { ...bodies.memories, content: 'Anna likes coffee.' }
  expect((await create('memories', other, 'once')).code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect((await create('memories', other, 'not usable')).code).toBe('VALIDATION_ERROR')
  expect(await total('memories')).toBe(1)
  await admin.post(`${at}/revoke`)
  expect((await create('memories', bodies.memories, 'once')).code).toBe('KEY_REVOKED')
})
