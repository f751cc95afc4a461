// Several keys work at random on one service and try each other's ids; each sees exactly what a
// reference of its own says, and no byte of anybody else ever reaches it.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Answer, apiClient, type Request } from '../../testing/api-client.ts'
import {
  type Noun,
  ReferenceTenant,
  type Row,
  withoutMetadata,
} from '../../testing/reference-tenant.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

const TENANTS = 3
const NOT_FOUND: Record<Noun, string> = {
  memories: 'MEMORY_NOT_FOUND',
  entities: 'ENTITY_NOT_FOUND',
  relations: 'RELATION_NOT_FOUND',
}

const noun = fc.constantFrom<Noun>('memories', 'entities', 'relations')
// Equal in all tenants on purpose: only the key may tell them apart.
const user = fc.constantFrom('anna', 'ben')
const step = fc.record({
  who: fc.nat(TENANTS - 1),
  /** Chooses among the ids of all tenants. */
  pick: fc.nat(),
  pickOther: fc.nat(),
  user,
  tag: fc.constantFrom('red', 'blue'),
  noun,
  act: fc.constantFrom('create', 'create', 'create', 'get', 'delete', 'list', 'filter', 'search'),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

class World {
  readonly tenants: ReferenceTenant[]
  readonly #everyId: Record<Noun, string[]> = { memories: [], entities: [], relations: [] }

  constructor(tenants: ReferenceTenant[]) {
    this.tenants = tenants
  }

  /** An id of anyone, also of a record that is gone by now. */
  anyId(kind: Noun, pick: number): string {
    const ids = this.#everyId[kind]
    return ids[pick % Math.max(1, ids.length)] ?? 'mem_nobody'
  }

  async ask(
    tenant: ReferenceTenant,
    method: string,
    path: string,
    request: Request = {},
  ): Promise<Answer> {
    const answer = await tenant.call(method, path, request)
    const received = answer.text + JSON.stringify([...answer.headers])
    for (const other of this.tenants) {
      if (other === tenant) continue
      expect(received, `${method} ${path}`).not.toContain(other.canary)
      for (const rows of Object.values(other.rows)) {
        for (const id of rows.keys()) expect(received, `${method} ${path}`).not.toContain(id)
      }
    }
    return answer
  }

  async create(tenant: ReferenceTenant, kind: Noun, json: object): Promise<Answer> {
    const answer = await this.ask(tenant, 'POST', `/v1/${kind}`, { json })
    if (answer.status === 201) {
      tenant.remember(kind, answer)
      this.#everyId[kind].push(answer.id)
    }
    return answer
  }

  async expectList(
    tenant: ReferenceTenant,
    kind: Noun,
    query: string,
    expected: Row[],
  ): Promise<void> {
    const { body } = await this.ask(tenant, 'GET', `/v1/${kind}?limit=100${query}`)
    const rows = expected.map((row) => withoutMetadata(tenant.expanded(kind, row)))
    expect(body).toEqual({
      items: rows,
      pagination: {
        page: 1,
        limit: 100,
        total: rows.length,
        totalPages: rows.length === 0 ? 0 : 1,
      },
    })
  }
}

async function take(
  world: World,
  { who, pick, pickOther, user, tag, noun, act }: Step,
): Promise<void> {
  const tenant = world.tenants[who] ?? expect.unreachable()
  const id = world.anyId(noun, pick)
  const { canary } = tenant

  if (act === 'create' && noun === 'memories') {
    const text = `${canary} likes ${tag}`
    const json = {
      content: text,
      userId: user,
      agentId: canary,
      tags: [tag],
      metadata: { [canary]: 1 },
    }
    expect(await world.create(tenant, noun, json)).toMatchObject({ status: 201 })
  } else if (act === 'create' && noun === 'entities') {
    const json = { name: `${user} ${canary}`, type: 'PERSON', description: canary }
    expect(await world.create(tenant, noun, json)).toMatchObject({ status: 201 })
  } else if (act === 'create') {
    const [sourceId, targetId] = [world.anyId('entities', pick), world.anyId('entities', pickOther)]
    const answer = await world.create(tenant, noun, {
      sourceId,
      targetId,
      type: 'KNOWS',
      metadata: { canary },
    })
    const missing = !tenant.owns('entities', sourceId)
      ? 'SOURCE_ENTITY_NOT_FOUND'
      : !tenant.owns('entities', targetId)
        ? 'TARGET_ENTITY_NOT_FOUND'
        : ''
    expect(answer).toMatchObject({ status: missing === '' ? 201 : 404, code: missing })
  } else if (act === 'get') {
    const answer = await world.ask(tenant, 'GET', `/v1/${noun}/${id}`)
    const row = tenant.rows[noun].get(id)
    if (row) expect(answer.body).toEqual(tenant.expanded(noun, row))
    else expect(answer).toMatchObject({ status: 404, code: NOT_FOUND[noun] })
  } else if (act === 'delete') {
    const owned = tenant.owns(noun, id)
    const answer = await world.ask(tenant, 'DELETE', `/v1/${noun}/${id}`)
    if (owned) expect(answer.body).toEqual({ success: true, id })
    else expect(answer).toMatchObject({ status: 404, code: NOT_FOUND[noun] })
    tenant.forget(noun, id)
  } else if (act === 'list') {
    await world.expectList(tenant, noun, '', tenant.list(noun))
  } else if (act === 'filter') {
    await takeFilter(world, tenant, { noun, user, tag, id: world.anyId('entities', pick) })
  } else {
    const json = { query: `likes ${tag}`, userId: user, threshold: 0, limit: 100 }
    const { body } = await world.ask(tenant, 'POST', '/v1/memories/search', { json })
    const found: string[] = Object(body).results.map(({ id: of }: Row) => of)
    const expected = tenant.list('memories', ({ userId }) => userId === user)
    expect(found.toSorted()).toEqual(expected.map(({ id: of }) => of).toSorted())
  }
}

async function takeFilter(
  world: World,
  tenant: ReferenceTenant,
  { noun, user, tag, id }: { noun: Noun; user: string; tag: string; id: string },
): Promise<void> {
  if (noun === 'memories') {
    const expected = tenant.list(
      noun,
      ({ userId, tags }) => userId === user && Object(tags).includes(tag),
    )
    await world.expectList(tenant, noun, `&userId=${user}&tags=${tag}`, expected)
    for (const { canary } of world.tenants) {
      const mine = canary === tenant.canary ? tenant.list(noun) : []
      await world.expectList(tenant, noun, `&agentId=${canary}`, mine)
    }
  } else if (noun === 'entities') {
    const expected = tenant.list(noun, ({ name }) => String(name).startsWith(user))
    await world.expectList(tenant, noun, `&search=${user.toUpperCase()}`, expected)
  } else {
    const expected = tenant.list(noun, ({ sourceId }) => sourceId === id)
    await world.expectList(tenant, noun, `&sourceId=${id}`, expected)
  }
}

async function newWorld(): Promise<World> {
  const tenants: ReferenceTenant[] = []
  for (const name of ['ALPHA', 'BRAVO', 'DELTA']) {
    const { key } = await service.newKey()
    tenants.push(new ReferenceTenant(`CANARY${name}`, apiClient(service.address, key)))
  }
  return new World(tenants)
}

test('random operations of several keys never diverge from what each of them did alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const world = await newWorld()
      for (const each of steps) await take(world, each)
      for (const tenant of world.tenants) {
        for (const kind of ['memories', 'entities', 'relations'] as const) {
          await world.expectList(tenant, kind, '', tenant.list(kind))
        }
      }
    }),
    { numRuns: 25 },
  )
}, 120_000)

test('keys that work at the same time see only their own', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const world = await newWorld()
      const own = world.tenants.map((_, who) => steps.filter((each) => each.who === who))
      await Promise.all(
        own.map(async (mine) => {
          for (const each of mine) await take(world, each)
        }),
      )
      for (const tenant of world.tenants) {
        await world.expectList(tenant, 'memories', '', tenant.list('memories'))
        await world.expectList(tenant, 'relations', '', tenant.list('relations'))
      }
    }),
    { numRuns: 10 },
  )
})
