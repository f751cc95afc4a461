// Reads bodies: JSON in UTF-8, nothing else. The type is judged before the size and both before a
// byte is parsed; invalid UTF-8 is refused instead of being replaced, because a text is stored
// exactly or not at all. Long ones are parsed in turns, however many of one caller have come.
// decisions/2026-11-21-http-details.md
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BODY_BYTES_MAX } from '../../contract/bounds.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Asker } from '../../turns/fair-queue.ts'
import { hasType, JSON_TYPE, refuseCompressed } from '../body/body-headers.ts'
import { readJson } from '../body/json.ts'
import { type LongBodies, saysItIsLong } from '../body/long-bodies.ts'
import { bodyTooLarge, readBody } from '../body/read-body.ts'
import { LONG_BYTES } from '../body/reading-turns.ts'
import { askForBody } from '../connection/expectations.ts'

declare module 'fastify' {
  interface FastifyInstance {
    longBodies: LongBodies
  }
}

/** What the headers say about the body of a POST, before it is read. */
async function checkBodyHeaders(request: FastifyRequest, bytesMax: number): Promise<void> {
  const { method, headers } = request
  if (method !== 'POST') return
  const length = Number(headers['content-length'] ?? 0)
  const hasBody = headers['transfer-encoding'] !== undefined || length > 0
  if ((hasBody || headers['content-type'] !== undefined) && !hasType(request, JSON_TYPE)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  }
  refuseCompressed(request)
  if (length > bytesMax) throw bodyTooLarge(bytesMax)
}

/** For the routes of `app` alone: what others read is their own affair. */
export function useJsonBodies(app: FastifyInstance, bytesMax = BODY_BYTES_MAX): void {
  app.addHook('preParsing', (request) => checkBodyHeaders(request, bytesMax))
  app.addHook('preParsing', askForBody)
  // A DELETE means the same whatever its body says, so that nothing in it can be wrong.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.removeAllContentTypeParsers()
  // The usual one has a name of its own: what only `*` stands for is taken apart anew for each request.
  app.addContentTypeParser(
    ['application/json', '*'],
    async (request: FastifyRequest, body: IncomingMessage) => {
      const gather = (): Promise<Buffer> => readBody(body, bytesMax)
      if (saysItIsLong(body)) {
        const { socket } = body
        return app.longBodies.read(askerOf(request), { socket, gather, parse: parseBody })
      }
      const bytes = await gather()
      if (bytes.length < LONG_BYTES) return parseBody(bytes)
      return app.longBodies.parse(askerOf(request), bytes, parseBody)
    },
  )
}

function askerOf({ admitted, ip }: FastifyRequest): Asker {
  const caller = admitted?.caller
  return caller?.accountId ?? caller?.spaceId ?? ip
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length > 0) return readJson(bytes, 'The body')
  throw new ApiError('VALIDATION_ERROR', { message: 'The body must be a JSON object.' })
}
