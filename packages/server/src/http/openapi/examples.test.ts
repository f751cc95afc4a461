// The examples of the document against a service with the real model. Ids and times are the
// service's own; scores may differ a little between processors.
import { afterAll, expect, test } from 'vitest'
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../contract/operations.ts'
import { openEmbedder } from '../../embedding/open-embedder.ts'
import { runService } from '../../testing/running-service.ts'
import { EXCHANGES, type Exchange } from './examples.ts'
import { REFUSALS, refusalAnswer } from './refusals.ts'
import { SHAPES } from './shapes.ts'
import type { Json } from './types.ts'

const SCORE_TOLERANCE = 0.02
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** From the ids in the examples to those that the service has given. */
const realIds = new Map<string, string>()

const service = await runService({ embedder: await openEmbedder({ kind: 'local', workers: 1 }) })
const key = (await service.newKey()).key
afterAll(() => service[Symbol.asyncDispose]())

const isDelete = (id: OperationId): boolean => OPERATIONS[id].method === 'DELETE'
const inOrder = [
  ...OPERATION_IDS.filter((id) => !isDelete(id)),
  ...OPERATION_IDS.filter(isDelete).reverse(),
]
const story = inOrder.flatMap((id) => EXCHANGES[id].map((exchange) => ({ id, exchange })))

async function send(
  operation: OperationId,
  { id = '', query, body }: Pick<Exchange, 'id' | 'query' | 'body'>,
): Promise<{ status: number; body: unknown }> {
  const { method, path } = OPERATIONS[operation]
  const search = Object.entries(query ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const address = `${path.replace(':id', id)}?${new URLSearchParams(search)}`
  const response = await fetch(service.address + asReal(address), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: asReal(JSON.stringify(body)) }),
  })
  return { status: response.status, body: await response.json() }
}

function asReal(text: string): string {
  return [...realIds].reduce((known, [shown, real]) => known.replaceAll(shown, real), text)
}

function asShown(value: unknown): unknown {
  const text = JSON.stringify(value)
  const shown = [...realIds].reduce((known, [id, real]) => known.replaceAll(real, id), text)
  return JSON.parse(shown, (name, part) => {
    if (name === 'score') return 'a score'
    return typeof part === 'string' && TIME.test(part) ? 'a time' : part
  })
}

/** `id` of an answer, if it has one. */
const idOf = (value: unknown): string | undefined => {
  const id: unknown = Object(value).id
  return typeof id === 'string' ? id : undefined
}

test.each(story)('$id, $exchange.name: the service answers as the example says', async (step) => {
  const { id, exchange } = step
  const answer = await send(id, exchange)
  const [shown, real] = [idOf(exchange.answer), idOf(answer.body)]
  if (shown !== undefined && real !== undefined && !realIds.has(shown)) realIds.set(shown, real)
  expect(answer.status).toBe(OPERATIONS[id].successStatus)
  expect(asShown(answer.body)).toEqual(asShown(exchange.answer))
  if (id === 'memories.search') {
    const [scored, documented] = [answer.body, exchange.answer].map(
      (body) => Object(body).results[0].score,
    )
    expect(Math.abs(scored - documented), `score ${scored}`).toBeLessThan(SCORE_TOLERANCE)
  }
})

const refusals = OPERATION_IDS.flatMap((id) =>
  (REFUSALS[id] ?? []).map((refusal) => ({ id, refusal })),
)

test.each(refusals)('$id: $refusal.code reads as its example says', async ({ id, refusal }) => {
  const { code, field, value } = refusal
  const [{ body, query }] = EXCHANGES[id]
  const broken: { body: Json } | { query: Record<string, string | number> } =
    SHAPES[id].body === undefined
      ? { query: { ...query, [field]: String(value) } }
      : { body: { ...Object(body), [field]: value } }
  const answer = await send(id, broken)
  expect(answer).toEqual({ status: 400, body: refusalAnswer(id, code) })
})
