// Two accounts. Whatever one of them guesses of the other's ids, on whatever route, is answered like
// an id that nobody has, and changes nothing.
import { afterAll, describe, expect, test } from 'vitest'
import { ConsoleClient, joinConsole, setUpConsole } from '../../testing/console-client.ts'
import { runService } from '../../testing/running-service.ts'
import { CONSOLE_ROUTES } from './mount.ts'

type Own = { key: string; memory: string; entity: string; other: string; relation: string }

const service = await runService()
const anna = await setUpConsole(service)
const bea = await joinConsole(service, 'bea@example.com')
const annas = await furnish(anna, 'ANNAS-CANARY')
const beas = await furnish(bea, 'BEAS-CANARY')
afterAll(() => service[Symbol.asyncDispose]())

async function furnish(client: ConsoleClient, canary: string): Promise<Own> {
  const made = await client.post('/keys', { name: `key of ${canary}`, plan: 'free' })
  const key: string = Object(made.body).key.id
  const memory = await client.post(`/keys/${key}/memories`, { content: canary, userId: 'u' })
  const entity = await client.post(`/keys/${key}/entities`, { name: canary, type: 'OTHER' })
  const other = await client.post(`/keys/${key}/entities`, { name: 'other', type: 'OTHER' })
  const relation = await client.post(`/keys/${key}/relations`, {
    sourceId: entity.id,
    targetId: other.id,
    type: 'KNOWS',
  })
  return { key, memory: memory.id, entity: entity.id, other: other.id, relation: relation.id }
}

/** Bodies that every route accepts, and queries for those that need one. */
const BODIES: Record<string, object> = {
  '/keys/:key/rotate': {},
  '/keys/:key/purge': { name: 'key of ANNAS-CANARY' },
  '/keys/:key/memories': { content: 'BEAS-CANARY', userId: 'u' },
  '/keys/:key/memories/forget': { userId: 'u' },
  '/keys/:key/memories/search': { query: 'ANNAS-CANARY' },
  '/keys/:key/entities': { name: 'x', type: 'OTHER' },
}

const bodyOf = (path: string, own: Own): object =>
  path === '/keys/:key/relations'
    ? { sourceId: own.entity, targetId: own.other, type: 'KNOWS' }
    : (BODIES[path] ?? {})

function fill(path: string, ids: Own): string {
  const id = path.includes('/memories/:id')
    ? ids.memory
    : path.includes('/relations/:id')
      ? ids.relation
      : ids.entity
  const query = path.endsWith('/path') ? `?from=${ids.entity}&to=${ids.other}` : ''
  return `${path.replace(':key', ids.key).replace(':id', id)}${query}`
}

const nobodys: Own = {
  key: 'key_00000000000000000000000000',
  memory: 'mem_00000000000000000000000000',
  entity: 'ent_00000000000000000000000000',
  other: 'ent_00000000000000000000000001',
  relation: 'rel_00000000000000000000000000',
}

const keyRoutes = CONSOLE_ROUTES.filter(({ access }) => access === 'key')

test('every route with a key in its path is one for owners of keys', () => {
  const withKey = CONSOLE_ROUTES.filter(({ path }) => path.includes(':key'))
  expect(withKey).toEqual(keyRoutes)
  expect(keyRoutes.length).toBeGreaterThan(20)
})

async function ask(
  client: ConsoleClient,
  method: string,
  path: string,
  ids: Own,
  at = fill(path, ids),
) {
  return method === 'GET' ? client.get(at) : client.post(at, bodyOf(path, ids))
}

const everything = async (client: ConsoleClient, { key }: Own) => {
  const lists = ['', '/memories', '/entities', '/relations', '/graph'].map((path) =>
    client.get(`/keys/${key}${path}`),
  )
  return (await Promise.all(lists)).map(({ status, text }) => ({ status, text }))
}

describe('ids of another account', () => {
  test.each(keyRoutes.map(({ method, path }) => [method, path]))(
    '%s %s: a foreign key is like no key, and nothing changes',
    async (method, path) => {
      const before = await everything(anna, annas)
      const foreign = await ask(bea, method, path, annas)
      const missing = await ask(bea, method, path, nobodys)
      expect(foreign).toMatchObject({ status: 404, code: 'KEY_NOT_FOUND' })
      expect(foreign.text).toBe(missing.text)
      expect(await everything(anna, annas)).toEqual(before)
    },
  )

  const recordRoutes = keyRoutes.filter(({ path }) => /:id|\/path$/.test(path))
  test.each(recordRoutes.map(({ method, path }) => [method, path]))(
    '%s %s: a foreign record under the own key is like no record',
    async (method, path) => {
      const before = await everything(anna, annas)
      const foreign = await ask(bea, method, path, { ...annas, key: beas.key })
      const missing = await ask(bea, method, path, { ...nobodys, key: beas.key })
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(missing.text)
      expect(await everything(anna, annas)).toEqual(before)
    },
  )

  test('a relation cannot reach into another space', async () => {
    const mixed = { sourceId: beas.entity, targetId: annas.entity, type: 'KNOWS' }
    const answer = await bea.post(`/keys/${beas.key}/relations`, mixed)
    expect(answer).toMatchObject({ status: 404, code: 'TARGET_ENTITY_NOT_FOUND' })
  })

  test('no read shows a word of the other account, whose data is all there', async () => {
    const readable = keyRoutes.filter(({ method }) => method === 'GET')
    for (const { path } of readable) {
      expect((await ask(bea, 'GET', path, beas)).text).not.toContain('ANNAS')
      expect((await ask(anna, 'GET', path, annas)).text).not.toContain('BEAS')
    }
    const found = await bea.post(`/keys/${beas.key}/memories/search`, { query: 'ANNAS-CANARY' })
    expect(found.text).not.toContain('ANNAS')
    expect((await bea.get('/keys')).text).not.toContain('ANNAS')
    expect((await anna.get('/keys')).text).not.toContain('BEAS')
  })
})

describe('without a session', () => {
  const closed = CONSOLE_ROUTES.filter(({ access }) => access !== 'anyone')
  test.each(closed.map(({ method, path }) => [method, path]))(
    '%s %s answers 401',
    async (method, path) => {
      const nobody = new ConsoleClient(service.address)
      const answer = await ask(nobody, method, path, annas)
      expect(answer).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
    },
  )
})
