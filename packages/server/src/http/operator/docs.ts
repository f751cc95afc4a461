// The reference: the OpenAPI document, and a page that shows it. The page needs no script and
// nothing from elsewhere, and its policy forbids both.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../openapi/document.ts'
import { ownAddress } from '../own-address.ts'
import { BASE_ADDRESS } from '../reference/code.ts'
import { referencePage } from '../reference/page.ts'
import { STYLE } from '../reference/style.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
  // The page shows the address under which it was reached.
  vary: 'Host',
}

export async function serveDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument()
  const json = JSON.stringify(document)
  const page = referencePage(document)

  app.get('/openapi.json', async (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      .send(json),
  )

  app.get('/docs', async (request, reply) =>
    reply
      .headers(PAGE_HEADERS)
      .send(page.replaceAll(BASE_ADDRESS, ownAddress(request) ?? BASE_ADDRESS)),
  )

  app.get('/', async ({ headers }, reply) => {
    if (headers.accept?.includes('text/html')) return reply.redirect('/docs')
    const { title: name, version } = document.info
    return { name, version, documentation: '/docs', openapi: '/openapi.json' }
  })
}
