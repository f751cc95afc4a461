// `POST /import/memories`: many memories in one request, outside /v1. Callers are admitted as there,
// the body is a stream of JSON lines, and so is the answer.
//
//   1 authenticate      hooks/authenticate.ts   401, 429
//   2 rate limit        hooks/rate-limit.ts     429: opening it draws one write
//   3 route, method     hooks/unknown-paths.ts  404, 405
//   4 type              content-type.ts         415
//   5 open streams      open-streams.ts         429, 503
//   6 the lines         import-stream.ts        200
//
// decisions/2026-11-21-bulk-import.md
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { IMPORT_MEDIA_TYPE, IMPORT_PATH, IMPORT_PREFIX } from '../../contract/import.ts'
import type { Service } from '../../core/service.ts'
import type { ReadingTurns } from '../body/reading-turns.ts'
import { allowLongBody } from '../connection/exchanges.ts'
import { askForBody } from '../connection/expectations.ts'
import { admitCallers } from '../hooks/admit-callers.ts'
import { bearerToken } from '../hooks/authenticate.ts'
import { quotaHeaders } from '../hooks/quota-headers.ts'
import { refuseMethodsBut } from '../method-not-allowed.ts'
import { admittedOf } from '../request-state.ts'
import { checkLinesHeaders } from './content-type.ts'
import { ImportStream } from './import-stream.ts'
import { OpenStreams } from './open-streams.ts'
import { Room } from './room.ts'
import { expectTaken, hangUpLater, untilTaken } from './slow-readers.ts'

/** Of all imports together, embedded or committed right now. Some seconds of work for one worker. */
const CHARACTERS_UNDER_WAY_MAX = 64 * 1024
/** Answers that a client need not have read yet: those of about 10,000 lines. */
const ANSWER_BYTES_MAX = 1024 * 1024

export async function mountImport(
  app: FastifyInstance,
  service: Service,
  {
    registry,
    readingTurns,
    silenceMsMax,
    drainMs,
  }: { registry: Registry; readingTurns: ReadingTurns; silenceMsMax: number; drainMs: number },
): Promise<void> {
  const room = new Room(CHARACTERS_UNDER_WAY_MAX)
  const streams = new OpenStreams(drainMs)
  const lines = new Counter({
    name: 'mnemograph_import_lines_total',
    help: 'Lines of imports by what became of them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'mnemograph_import_streams',
    help: 'Imports that are open.',
    registers: [registry],
    collect() {
      this.set(streams.size)
    },
  })

  async function importMemories(request: FastifyRequest, reply: FastifyReply) {
    const { keyId, accountId, spaceId } = admittedOf(request).caller
    // A member makes as many keys, and so spaces, as it likes.
    const asker = accountId ?? spaceId
    streams.expectRoom({ keyId, asker })
    const { raw: body, log } = request
    allowLongBody(body)
    const stream = new ImportStream({
      service,
      key: bearerToken(request),
      keyId,
      body,
      room,
      turn: readingTurns.of(asker),
      silenceMsMax,
      log,
      onOutcome: (outcome) => lines.inc({ outcome }),
    })
    const end = streams.add({ keyId, asker, stop: (reason) => stream.stop(reason) })
    const answers = Readable.from(
      untilTaken(stream.answers(), silenceMsMax, () => body.socket.destroy()),
      { objectMode: false, highWaterMark: ANSWER_BYTES_MAX },
    )
    // Not at the end of the generator: for a client that has left by now it never begins.
    answers.once('close', () => {
      end()
      expectTaken(body, reply.raw, silenceMsMax)
    })
    hangUpLater(body, reply.raw)
    return reply.type(IMPORT_MEDIA_TYPE).send(answers)
  }

  await app.register(
    async (scope) => {
      await admitCallers(scope, service)
      scope.addHook('preParsing', checkLinesHeaders)
      scope.addHook('preParsing', askForBody)
      scope.removeAllContentTypeParsers()
      // The body is read line by line, and not before the answer has begun.
      scope.addContentTypeParser('*', async () => undefined)
      scope.addHook('onSend', quotaHeaders)
      scope.addHook('preClose', async () => streams.stopAll())
      scope.addHook('onClose', () => streams.allEnded())
      const path = IMPORT_PATH.slice(IMPORT_PREFIX.length)
      scope.post(path, importMemories)
      refuseMethodsBut(scope, path, ['POST'])
    },
    { prefix: IMPORT_PREFIX },
  )
}
