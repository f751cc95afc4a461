// What fails on our side while an agent is answered: the log has the cause, the agent does not.
import Fastify from 'fastify'
import pino from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { ACCEPT, PING, postMessage } from '../../testing/agent.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { runService } from '../../testing/running-service.ts'
import { handleError } from '../error-handler.ts'
import { acceptEveryMethod } from '../method-not-allowed.ts'
import type { Route } from '../operation.ts'
import { createEndpoint } from './endpoint.ts'
import { mountMcp } from './mount.ts'

const log: string[] = []
const logTo = { write: (line: string) => void log.push(line) }
const failures = () =>
  log.map((line) => JSON.parse(line)).map(({ msg, err }) => ({ msg, cause: err.message }))

const failing = async () => {
  throw new EmbedderUnavailable('The model failed.', new Error('connection refused'))
}
const service = await runService({
  embedder: { ...fakeEmbedder(), embedQuery: failing },
  logTo,
  settings: { MNEMOGRAPH_LOG_LEVEL: 'warn' },
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => {
  log.length = 0
})

test('a call that fails is an error in the log, by its cause and without what was asked', async () => {
  const { key } = await service.newKey()
  const params = { name: 'search_memories', arguments: { query: 'a private question' } }
  const json = { ...PING, method: 'tools/call', params }
  const { text } = await postMessage(service.address, key, json)
  expect(text).toContain('SERVICE_UNAVAILABLE')
  expect(text).not.toContain('The model failed.')
  expect(failures()).toEqual([
    { msg: 'SERVICE_UNAVAILABLE', cause: expect.stringContaining('The model failed.') },
  ])
  expect(log.join('')).not.toContain('private')
})

test('a failure outside of any call is one in the log too, with its cause', async () => {
  const endpoint = createEndpoint(service.service, { routes: [], origins: [] })
  const answer = await endpoint({
    body: PING,
    request: new Request('http://mnemograph.invalid/mcp', {
      method: 'POST',
      headers: { ...ACCEPT, 'content-type': 'application/json' },
    }),
    caller: {
      key: '',
      keyId: '',
      log: pino({ level: 'warn' }, logTo),
      left: new AbortController().signal,
    },
    get userId(): string {
      throw new Error('a bug')
    },
  })
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('a bug')
  expect(failures()).toEqual([{ msg: 'INTERNAL_ERROR', cause: 'a bug' }])
})

test('what could not be loaded is loaded when it is asked for again', async () => {
  let times = 0
  const routes: Route[] = []
  const once = new Proxy(routes, {
    get: (target, name) => {
      times += 1
      if (times === 1) throw new Error('EMFILE: too many open files')
      return Reflect.get(target, name)
    },
  })
  const app = Fastify()
  app.decorateRequest('admitted', null)
  app.decorateRequest('errorCode', null)
  app.setErrorHandler(handleError)
  acceptEveryMethod(app)
  await mountMcp(app, service.service, { routes: once, origins: [] })
  const { key } = await service.newKey()
  const ping = () =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...ACCEPT, host: 'localhost', authorization: `Bearer ${key}` },
      payload: PING,
    })
  expect((await ping()).statusCode).toBe(500)
  expect((await ping()).statusCode).toBe(200)
  await app.close()
})
