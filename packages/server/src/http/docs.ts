// The reference: the OpenAPI document, and a page that shows it without reaching the internet.
import type { FastifyInstance } from 'fastify'

export async function serveDocs(_app: FastifyInstance): Promise<void> {}
