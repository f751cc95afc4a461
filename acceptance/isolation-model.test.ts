/**
 * Random operations of several keys against a model in memory: after every step the answer agrees
 * with the model, and no answer ever holds a byte of another key's data. Every text of a key
 * carries that key's mark; the keys share users, names and types, and try each other's ids.
 */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { describeManaged, freshClient } from './harness/service.ts'

const KEYS = 3
const STEPS_PER_RUN = 60
const RUNS = 8

/** One key's world: its client, its mark, and what it should hold, by id. */
interface World {
  readonly client: Client
  readonly mark: string
  readonly memories: Map<string, string>
  readonly entities: Map<string, string>
  readonly relations: Map<string, { sourceId: string; targetId: string }>
}

const kinds = ['memories', 'entities', 'relations'] as const
type Kind = (typeof kinds)[number]

const step = fc.record({
  key: fc.nat(KEYS - 1),
  /** Whose ids are used: often one's own, often another's. */
  victim: fc.nat(KEYS - 1),
  verb: fc.constantFrom('create', 'create', 'get', 'delete', 'list', 'search'),
  kind: fc.constantFrom(...kinds),
  user: fc.constantFrom('ada', 'bob'),
  pick: fc.nat(1000),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function idOf(world: World, kind: Kind, pick: number): string {
  const ids = [...world[kind].keys()]
  return ids.length === 0 ? `${kind.slice(0, 3)}_none` : (ids[pick % ids.length] ?? '')
}

function newId(answer: Answer): string {
  const id = /"id":"([^"]+)"/.exec(answer.text)?.[1]
  return id ?? expect.fail(`no id in ${answer.text}`)
}

async function create(world: World, victim: World, move: Step): Promise<Answer> {
  const { client, mark } = world
  if (move.kind === 'memories') {
    const content = `${mark} likes number ${move.pick}.`
    const answer = await client.post('/v1/memories', { content, userId: move.user })
    expect(answer.status).toBe(201)
    world.memories.set(newId(answer), move.user)
    return answer
  }
  if (move.kind === 'entities') {
    const name = `Thing ${mark} ${move.pick}`
    const answer = await client.post('/v1/entities', { name, type: 'OTHER' })
    expect(answer.status).toBe(201)
    world.entities.set(newId(answer), name)
    return answer
  }
  const sourceId = idOf(world, 'entities', move.pick)
  const targetId = idOf(victim, 'entities', move.pick + 1)
  const answer = await client.post('/v1/relations', { sourceId, targetId, type: 'KNOWS' })
  const allowed = world.entities.has(sourceId) && world.entities.has(targetId)
  expect(answer.status).toBe(allowed ? 201 : 404)
  if (allowed) world.relations.set(newId(answer), { sourceId, targetId })
  return answer
}

async function touchOne(world: World, victim: World, move: Step): Promise<Answer> {
  const id = idOf(victim, move.kind, move.pick)
  const method = move.verb === 'delete' ? 'DELETE' : 'GET'
  const answer = await world.client.call(method, `/v1/${move.kind}/${id}`)
  expect(answer.status).toBe(world[move.kind].has(id) ? 200 : 404)
  if (move.verb === 'delete' && answer.status === 200) {
    world[move.kind].delete(id)
    for (const [relation, { sourceId, targetId }] of world.relations) {
      if (sourceId === id || targetId === id) world.relations.delete(relation)
    }
  }
  return answer
}

async function list(world: World, move: Step): Promise<Answer> {
  const filter = move.kind === 'memories' ? `&userId=${move.user}` : ''
  const answer = await world.client.get(`/v1/${move.kind}?limit=1${filter}`)
  const users = [...world.memories.values()].filter((user) => user === move.user)
  const total = move.kind === 'memories' ? users.length : world[move.kind].size
  expect(answer.body).toMatchObject({ pagination: { total } })
  return answer
}

async function search(world: World, victim: World, move: Step): Promise<Answer> {
  const body = { query: `${victim.mark} likes`, userId: move.user, threshold: 0, limit: 100 }
  const answer = await world.client.post('/v1/memories/search', body)
  expect(answer.status).toBe(200)
  const found = [...answer.text.matchAll(/"id":"([^"]+)"/g)].map((match) => match[1])
  const own = [...world.memories].filter(([, user]) => user === move.user).map(([id]) => id)
  expect(found.sort()).toEqual(own.sort())
  return answer
}

function perform(world: World, victim: World, move: Step): Promise<Answer> {
  if (move.verb === 'create') return create(world, victim, move)
  if (move.verb === 'list') return list(world, move)
  if (move.verb === 'search') return search(world, victim, move)
  return touchOne(world, victim, move)
}

describeManaged('several keys at random', () => {
  let clients: Client[]
  beforeAll(async () => {
    clients = await Promise.all(Array.from({ length: KEYS }, () => freshClient()))
  })

  test('random operations agree with a model and never show a foreign byte', async () => {
    // One world per key for the whole property: the runs build on each other's records.
    const worlds = clients.map<World>((client, index) => ({
      client,
      mark: ['Quokka', 'Walrus', 'Ibex'][index] ?? `Key${index}`,
      memories: new Map(),
      entities: new Map(),
      relations: new Map(),
    }))
    const moves = fc.array(step, { minLength: STEPS_PER_RUN, maxLength: STEPS_PER_RUN })
    const run = fc.asyncProperty(moves, async (sequence) => {
      for (const move of sequence) {
        const world = worlds[move.key] ?? expect.fail()
        const victim = worlds[move.victim] ?? expect.fail()
        const { text } = await perform(world, victim, move)
        for (const other of worlds) {
          if (other !== world) expect(text).not.toContain(other.mark)
        }
      }
    })
    // Without shrinking: a shorter sequence would meet the state that this one left.
    await fc.assert(run, { numRuns: RUNS, endOnFailure: true })
  }, 120_000)
})
