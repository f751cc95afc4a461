// The reference: the OpenAPI document, and a page that shows it without reaching the internet.
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from './openapi/document.ts'

export async function serveDocs(app: FastifyInstance): Promise<void> {
  const document = JSON.stringify(openApiDocument())

  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )
}
