// For whatever keeps the service running: is the process alive, and can it answer right now? One that is
// stopping still answers, but nothing new should be sent to it.
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../core/service.ts'
import { sharedAnswer } from './shared-answer.ts'

export function serveHealth(
  app: FastifyInstance,
  { store, model }: Service,
  isStopping: () => boolean,
): void {
  app.get('/livez', async () => ({ status: 'ok' }))

  const checkStore = sharedAnswer(() => store.check())
  app.get('/readyz', async (request, reply) => {
    const storeReady = await checkStore().then(
      () => true,
      (error: unknown) => {
        request.log.error({ err: error }, 'the store is not ready')
        return false
      },
    )
    const checks = { store: storeReady, embedder: model.isReady() }
    if (isStopping()) return reply.code(503).send({ status: 'stopping', checks })
    const ready = checks.store && checks.embedder
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks })
  })
}
