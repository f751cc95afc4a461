// What the deployment files ask to learn whether an instance is well, asked of a real server.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { afterAll, expect, test } from 'vitest'
import { runService } from '../packages/server/src/testing/running-service.ts'
import { readCompose } from './reading/compose.ts'
import { readDockerfile } from './reading/dockerfile.ts'
import { readKubernetes } from './reading/kubernetes.ts'
import { held, textOf } from './reading/text.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

/** Answers as a server does whose database is gone. */
async function unreadyServer(): Promise<{ address: string; stop(): Promise<void> }> {
  const app = Fastify()
  app.get('/readyz', async (_request, reply) => reply.code(503).send({ status: 'unavailable' }))
  return { address: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() }
}

test('every path that the proxy and Kubernetes ask for is answered with 200', async () => {
  const { startupProbe, readinessProbe, livenessProbe } = readKubernetes().container
  const paths = [
    /health_uri (\S+)/.exec(textOf('deploy/Caddyfile'))?.[1],
    ...[startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path),
  ]
  expect(paths).toEqual(['/readyz', '/livez', '/readyz', '/livez'])
  for (const path of paths) expect((await fetch(service.address + path)).status).toBe(200)
})

test("the image's check passes while the server is ready, and fails when it is not or nobody answers", async () => {
  const check = readDockerfile().find(({ name }) => name === 'HEALTHCHECK')?.text ?? ''
  expect(check).toContain('/readyz')
  const command: unknown = JSON.parse(/CMD (\[.*\])/.exec(check)?.[1] ?? '[]')
  const [program, ...args] = held(Type.Array(Type.String()), command)
  expect(program).toBe('node')
  const run = (PORT: string) => promisify(execFile)(process.execPath, args, { env: { PORT } })
  await expect(run(new URL(service.address).port)).resolves.toBeDefined()
  const { address, stop } = await unreadyServer()
  await expect(run(new URL(address).port)).rejects.toMatchObject({ code: 1 })
  await stop()
  await expect(run('1')).rejects.toMatchObject({ code: 1 })
})

test('the proxy and the database are asked too: the proxy on a port of its own', () => {
  const { proxy, database } = readCompose().services
  const asked = new URL(proxy?.healthcheck?.test.at(-1) ?? '')
  expect(textOf('deploy/Caddyfile')).toContain(`http://:${asked.port} {`)
  expect(database?.healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
})
