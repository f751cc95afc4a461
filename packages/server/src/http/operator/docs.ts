// The reference: the OpenAPI document, and a page that shows it. The page needs no script and
// nothing from elsewhere, and its policy forbids both. They are made when somebody first asks: a start
// need not wait for them.
import type { FastifyInstance } from 'fastify'
import { loadedLater } from '../loaded-later.ts'
import { ownAddress } from '../own-address.ts'

export function serveDocs(app: FastifyInstance): void {
  const reference = loadedLater(async () => {
    const { makeReference } = await import('../reference/reference.ts')
    return makeReference()
  })

  app.get('/openapi.json', async (_request, reply) => {
    const { json } = await reference()
    return reply
      .headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      .send(json)
  })

  app.get('/docs', async (request, reply) => {
    const { pageAt, pageHeaders } = await reference()
    return reply.headers(pageHeaders).send(pageAt(ownAddress(request)))
  })

  app.get('/', async ({ headers }, reply) => {
    if (headers.accept?.includes('text/html')) return reply.redirect('/docs')
    const { name, version } = await reference()
    return { name, version, documentation: '/docs', openapi: '/openapi.json' }
  })
}
