// Memories, entities, relations and the graph of a key's space, as its owner works with them.
import { afterAll, describe, expect, test } from 'vitest'
import { setUpConsole } from '../../testing/console-client.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
const admin = await setUpConsole(service)
afterAll(() => service[Symbol.asyncDispose]())

async function space() {
  const { body } = await admin.post('/keys', { name: 'app', plan: 'enterprise' })
  const at = `/keys/${Object(body).key.id}`
  const { spaceId } = await service.service.store.keys
    .list()
    .then((keys) => keys.find(({ id }) => at.endsWith(id)) ?? { spaceId: undefined })
  if (spaceId === undefined) throw new Error('The key is not listed.')
  return {
    at,
    spaceId,
    get: (path: string) => admin.get(at + path),
    post: (path: string, json?: unknown) => admin.post(at + path, json),
    entity: async (name: string, type = 'PERSON') =>
      (await admin.post(`${at}/entities`, { name, type })).id,
    relate: async (sourceId: string, targetId: string, type = 'KNOWS') =>
      (await admin.post(`${at}/relations`, { sourceId, targetId, type })).id,
  }
}
const ids = (list: { id: string }[]) => list.map(({ id }) => id)

describe('memories', () => {
  test('are added, found, filtered, opened and deleted', async () => {
    const { get, post } = await space()
    const metadata = { source: 'by hand' }
    const tagged = { content: 'tagged', userId: 'u', agentId: 'g', tags: ['a', 'b'], metadata }
    const made = await post('/memories', tagged)
    const other = await post('/memories', { content: 'other', userId: 'v' })
    expect(made).toMatchObject({ status: 201, body: tagged })
    expect((await get(`/memories/${made.id}`)).body).toEqual(made.body)
    for (const query of ['userId=u', 'agentId=g', 'tags=a,b', 'userId=u&agentId=g&tags=b']) {
      expect(ids(Object((await get(`/memories?${query}`)).body).items), query).toEqual([made.id])
    }
    expect(Object((await get('/memories?page=2&limit=1')).body)).toMatchObject({
      items: [{ id: made.id }],
      pagination: { page: 2, limit: 1, total: 2, totalPages: 2 },
    })
    expect((await post(`/memories/${made.id}/delete`)).body).toEqual({ success: true, id: made.id })
    expect(await get(`/memories/${made.id}`)).toMatchObject({ code: 'MEMORY_NOT_FOUND' })
    expect(ids(Object((await get('/memories')).body).items)).toEqual([other.id])
  })

  test('of one user are forgotten all at once', async () => {
    const { get, post } = await space()
    for (const userId of ['u', 'v', 'u']) await post('/memories', { content: 'x', userId })
    expect((await post('/memories/forget', {})).body).toMatchObject({ error: { field: 'userId' } })
    const answer = await post('/memories/forget', { userId: 'u' })
    expect(answer).toMatchObject({ status: 200, body: { deleted: 2, remaining: 0 } })
    expect(Object((await get('/memories')).body).items).toMatchObject([{ userId: 'v' }])
  })

  test('are bound by the same rules as under /v1', async () => {
    const { get, post } = await space()
    const cases = [
      await post('/memories', { content: 'x'.repeat(10_001), userId: 'u' }),
      await post('/memories', { content: 'x' }),
      await post('/memories', []),
      await get('/memories?limit=101'),
      await get('/memories?userId='),
      await post('/memories/search', { query: '' }),
      await post('/memories/search', { query: 'x', limit: 101 }),
    ]
    expect(cases.map(({ code }) => code)).toEqual([
      'CONTENT_TOO_LONG',
      'INVALID_USER_ID',
      ...Array.from({ length: 5 }, () => 'VALIDATION_ERROR'),
    ])
  })

  test('the playground shows what lies under the threshold too', async () => {
    const { post } = await space()
    await post('/memories', { content: 'Anna prefers dark roast coffee', userId: 'u' })
    await post('/memories', { content: 'zebra quilt ninety', userId: 'u' })
    const { body } = await post('/memories/search', { query: 'dark roast coffee' })
    const { results, defaultThreshold } = Object(body)
    expect(defaultThreshold).toBe(0.5)
    expect(results).toHaveLength(2)
    expect(results[0].score).toBeGreaterThanOrEqual(defaultThreshold)
    expect(results[1].score).toBeLessThan(defaultThreshold)
  })

  test('nothing is added for a revoked key; what is there can be read and deleted', async () => {
    const { get, post, entity, relate } = await space()
    const { id } = await post('/memories', { content: 'left', userId: 'u' })
    const [a, b] = [await entity('a'), await entity('b')]
    const relation = await relate(a, b)
    await post('/revoke')
    const additions = [
      await post('/memories', { content: 'new', userId: 'u' }),
      await post('/entities', { name: 'new', type: 'OTHER' }),
      await post('/relations', { sourceId: a, targetId: b, type: 'KNOWS' }),
    ]
    expect(additions.map(({ code }) => code)).toEqual(['KEY_REVOKED', 'KEY_REVOKED', 'KEY_REVOKED'])
    expect((await get(`/memories/${id}`)).status).toBe(200)
    expect((await post(`/memories/${id}/delete`)).status).toBe(200)
    expect((await post(`/relations/${relation}/delete`)).status).toBe(200)
    expect((await post(`/entities/${a}/delete`)).status).toBe(200)
  })
})

describe('entities and relations', () => {
  test('are added, filtered, opened and deleted as under /v1', async () => {
    const { get, post, entity } = await space()
    const described = { description: 'likes tea', metadata: { source: 'by hand' } }
    const anna = await post('/entities', { name: 'Anna', type: 'PERSON', ...described })
    expect(anna).toMatchObject({ status: 201, body: { name: 'Anna', ...described } })
    expect((await get(`/entities/${anna.id}`)).body).toEqual(anna.body)
    const oslo = await entity('Oslo', 'LOCATION')
    const ends = { sourceId: anna.id, targetId: oslo }
    const lives = await post('/relations', { ...ends, type: 'LIVES_IN', metadata: { since: 1 } })
    expect(lives).toMatchObject({ status: 201, body: { ...ends, metadata: { since: 1 } } })
    expect((await get(`/relations/${lives.id}`)).body).toMatchObject(Object(lives.body))
    const back = await post('/relations', { sourceId: oslo, targetId: anna.id, type: 'HOSTS' })

    const listed = async (path: string) => ids(Object((await get(path)).body).items)
    for (const query of ['type=PERSON', 'search=ann', 'page=2&limit=1']) {
      expect(await listed(`/entities?${query}`), query).toEqual([anna.id])
    }
    for (const query of [`sourceId=${oslo}`, `targetId=${anna.id}`, 'type=HOSTS', 'limit=1']) {
      expect(await listed(`/relations?${query}`), query).toEqual([back.id])
    }
    const { id } = lives
    expect((await post(`/relations/${id}/delete`)).body).toEqual({ success: true, id })
    expect(await listed('/relations')).toEqual([back.id])
    expect((await post(`/entities/${oslo}/delete`)).body).toEqual({ success: true, id: oslo })
    expect(await listed('/entities')).toEqual([anna.id])
    expect(await listed('/relations')).toEqual([])
  })
})

describe('the graph', () => {
  test('a neighbourhood has what is so many steps away, whatever the direction', async () => {
    const { get, entity, relate } = await space()
    const [a, b, c, d, e] = [
      await entity('a'),
      await entity('b'),
      await entity('c'),
      await entity('d'),
      await entity('e'),
    ]
    const ab = await relate(a, b)
    const cb = await relate(c, b)
    const cd = await relate(c, d, 'PART_OF')
    const bb = await relate(b, b)
    await relate(d, e)
    const at = async (depth: number, limit = 200) =>
      Object((await get(`/entities/${a}/neighbourhood?depth=${depth}&limit=${limit}`)).body)
    const one = await at(1)
    expect(one.nodes).toEqual([
      { id: a, name: 'a', type: 'PERSON', degree: 1, depth: 0 },
      { id: b, name: 'b', type: 'PERSON', degree: 3, depth: 1 },
    ])
    expect(ids(one.edges).toSorted()).toEqual([ab, bb].toSorted())
    expect(one.isComplete).toBe(true)
    expect(ids((await at(2)).nodes)).toEqual([a, b, c])
    const three = await at(3)
    expect(ids(three.nodes)).toEqual([a, b, c, d])
    expect(ids(three.edges).toSorted()).toEqual([ab, bb, cb, cd].toSorted())
    expect(three.edges).toContainEqual({ id: cd, sourceId: c, targetId: d, type: 'PART_OF' })
    const bounded = await at(3, 2)
    expect([ids(bounded.nodes), bounded.isComplete]).toEqual([[a, b], false])
    for (const depth of ['0', '4', 'x']) {
      const answer = await get(`/entities/${a}/neighbourhood?depth=${depth}`)
      expect(answer).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })

  test('relations among the outermost are part of a neighbourhood', async () => {
    const { get, entity, relate } = await space()
    const [hub, x, y] = [await entity('hub'), await entity('x'), await entity('y')]
    await relate(hub, x)
    await relate(hub, y)
    const xy = await relate(x, y)
    const { body } = await get(`/entities/${hub}/neighbourhood?depth=1`)
    expect(ids(Object(body).edges)).toContain(xy)
  })

  test('a shortest path is found, in order, or there is none', async () => {
    const { get, entity, relate } = await space()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'alone']
    const made: string[] = []
    for (const name of names) made.push(await entity(name))
    const [a = '', b = '', c = '', d = '', e = '', f = '', alone = ''] = made
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, d],
      [d, e],
      [f, a],
      [f, d],
    ]) {
      await relate(from ?? '', to ?? '')
    }
    const path = async (from: string, to: string) =>
      Object((await get(`/path?from=${from}&to=${to}`)).body)
    const found = await path(a, e)
    expect(ids(found.path.nodes)).toEqual([a, f, d, e])
    for (const [n, edge] of found.path.edges.entries()) {
      const ends = [edge.sourceId, edge.targetId].toSorted()
      expect(ends).toEqual([found.path.nodes[n].id, found.path.nodes[n + 1].id].toSorted())
    }
    expect(ids((await path(e, a)).path.nodes)).toEqual([e, d, f, a])
    expect(ids((await path(a, a)).path.nodes)).toEqual([a])
    expect(await path(a, alone)).toEqual({ path: null, isComplete: true })
    expect(await get(`/path?from=${a}&to=ent_none`)).toMatchObject({ code: 'ENTITY_NOT_FOUND' })
    expect(await get(`/path?from=ent_none&to=${a}`)).toMatchObject({ code: 'ENTITY_NOT_FOUND' })
    expect(await get(`/path?from=${a}`)).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('five thousand entities come as one graph, with the total', async () => {
    const { get, spaceId } = await space()
    const { store, identify } = service.service
    const { entities, relations } = store.forSpace(spaceId)
    const nodes = Array.from({ length: 5_050 }, (_, n) => ({
      ...identify('ent'),
      name: `n${n}`,
      type: n % 2 === 0 ? ('PERSON' as const) : ('OTHER' as const),
      description: undefined,
      metadata: undefined,
    }))
    await Promise.all(nodes.map((node) => entities.insert(node, {})))
    const edges = nodes.slice(1).map((node, n) => ({
      ...identify('rel'),
      sourceId: nodes[n]?.id ?? '',
      targetId: node.id,
      type: 'NEXT',
      metadata: undefined,
    }))
    await Promise.all(edges.map((edge) => relations.insert(edge, {})))
    const { body } = await get('/graph')
    const graph = Object(body)
    expect(graph.nodes).toHaveLength(5_000)
    expect(graph.edges).toHaveLength(4_999)
    expect(graph).toMatchObject({ isComplete: false, total: { entities: 5_050, relations: 5_049 } })
    const some = Object((await get('/graph?limit=10&type=OTHER')).body)
    expect(some.nodes.map(({ type }: { type: string }) => type)).toEqual(Array(10).fill('OTHER'))
    expect(some.edges).toEqual([])
    const [first, last] = [nodes[0]?.id, nodes[300]?.id]
    const found = Object((await get(`/path?from=${first}&to=${last}`)).body)
    expect(found.path.nodes).toHaveLength(301)
  })

  test('of more entities than are told the one with the name that was asked for comes first', async () => {
    const { get, entity } = await space()
    const oldest = await entity('Anna')
    for (let n = 0; n < 3; n += 1) await entity(`Anna ${n}`)
    const names = async (query: string) => {
      const { items, total } = Object((await get(`/named?${query}`)).body)
      return [items.map(({ name }: { name: string }) => name), total]
    }
    expect(await names('search=anna&limit=2')).toEqual([['Anna', 'Anna 2'], 4])
    expect(await names('search=2')).toEqual([['Anna 2'], 1])
    expect(await names('search=&limit=1')).toEqual([['Anna 2'], 4])
    const { body } = await get('/named?search=ANNA&limit=1')
    expect(body).toEqual({ items: [{ id: oldest, name: 'Anna', type: 'PERSON' }], total: 4 })
    expect((await get(`/named?search=${'a'.repeat(257)}`)).status).toBe(400)
  })

  test('memories mention a name as whole words, whatever case and diacritics', async () => {
    const { get, post, entity } = await space()
    const id = await entity('Zoë')
    const contents = ['I met ZOE.', 'zoeology is no mention', 'nothing', 'Zoë’s cat', '(zoë)']
    for (const content of contents) await post('/memories', { content, userId: 'u' })
    const { body } = await get(`/entities/${id}/memories`)
    expect(Object(body).items.map(({ content }: { content: string }) => content)).toEqual([
      '(zoë)',
      'Zoë’s cat',
      'I met ZOE.',
    ])
    expect(Object(body).next).toBeNull()
    const first = Object((await get(`/entities/${id}/memories?limit=2`)).body)
    const rest = Object((await get(`/entities/${id}/memories?limit=2&after=${first.next}`)).body)
    expect([first.items.length, rest.items.length, rest.next]).toEqual([2, 1, null])
    const older = await get(`/entities/${id}/memories?after=-1000.mem_a`)
    expect(older.body, 'before 1970').toEqual({ items: [], next: null })
  })

  test('each question tells so much at once at most', async () => {
    const { get, entity } = await space()
    const at = `entities/${await entity('Zoë')}`
    const questions = ['graph', 'named', `${at}/neighbourhood`, `${at}/memories`]
    for (const [n, most] of [5_000, 100, 1_000, 100].entries()) {
      expect((await get(`/${questions[n]}?limit=${most}`)).status).toBe(200)
      expect((await get(`/${questions[n]}?limit=${most + 1}`)).code).toBe('VALIDATION_ERROR')
    }
  })

  test.each(['x', '1', '1.', '1.%00', '1.a.b', '--1.a'])(
    'a place to go on from that nobody was told is refused: %s',
    async (after) => {
      const { get, entity } = await space()
      const id = await entity('Zoë')
      const { status, body } = await get(`/entities/${id}/memories?after=${after}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { message: 'after must be what `next` said.' } })
    },
  )
})
