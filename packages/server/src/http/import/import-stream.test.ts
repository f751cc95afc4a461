// Lines that are refused at once, or blank, cost nobody's model and nobody's disk. However many of them
// come together, others get their turn between them.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runService, type TestService } from '../../testing/running-service.ts'
import { ImportStream } from './import-stream.ts'
import { Room } from './room.ts'

/** What a line costs differs, and so how many of them it takes to be noticed. */
const BYTES = { refused: 200_000, blank: 1_000_000 }

let service: TestService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** As if all of it had come at once. */
function bodyOf(text: string): IncomingMessage {
  const body = new IncomingMessage(new Socket())
  body.push(text)
  body.push(null)
  return body
}

test.each([
  ['refused', 'x\n', BYTES.refused / 2],
  ['blank', ' \n', 0],
] as const)('lines that are %s leave others their turn', async (kind, line, refused) => {
  const { id: keyId, key } = await service.newKey()
  let told = 0
  const stream = new ImportStream({
    service: service.service,
    key,
    keyId,
    body: bodyOf(line.repeat(BYTES[kind] / line.length)),
    room: new Room(1),
    silenceMsMax: 60_000,
    log: pino({ level: 'silent' }),
    onOutcome: () => {
      told += 1
    },
  })
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  for await (const _answers of stream.answers());
  isOver = true
  await others
  expect(told).toBe(refused)
  expect(turns).toBeGreaterThan(10)
})
