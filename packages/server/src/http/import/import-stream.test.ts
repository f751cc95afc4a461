// Lines that are refused at once, or blank, cost nobody's model and nobody's disk. However many of them
// come together, in however many streams, others get their turn between them, and a stream that brings
// nothing else is ended.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { runService } from '../../testing/running-service.ts'
import { ReadingTurns } from '../body/reading-turns.ts'
import { ImportStream } from './import-stream.ts'
import { Room } from './room.ts'

/** A line that is refused, and one that is taken. */
const [WRONG, RIGHT] = ['x\n', '{"content":"c","userId":"u"}\n']

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

/** As if all of it had come at once. */
function bodyOf(text: string): IncomingMessage {
  const body = new IncomingMessage(new Socket())
  body.push(text)
  body.push(null)
  return body
}

/** Reads a stream to its end and gives its summary. */
async function importBody(
  text: string,
  turns: ReadingTurns,
  onOutcome: () => void = () => undefined,
  as?: { id: string; key: string },
): Promise<unknown> {
  const { id: keyId, key } = as ?? (await service.newKey())
  const stream = new ImportStream({
    service: service.service,
    key,
    keyId,
    body: bodyOf(text),
    room: new Room(64 * 1024),
    turn: turns.of(keyId),
    silenceMsMax: 60_000,
    log: pino({ level: 'silent' }),
    onOutcome,
  })
  let last = ''
  for await (const answers of stream.answers()) last = answers
  return JSON.parse(last.trim().split('\n').at(-1) ?? '')
}

test.each([
  ['refused', RIGHT + WRONG.repeat(100_000)],
  ['blank', ' \n'.repeat(500_000)],
] as const)('lines that are %s leave others their turn', async (_kind, text) => {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  await importBody(text, new ReadingTurns())
  isOver = true
  await others
  expect(turns).toBeGreaterThan(10)
})

test('of many streams one works between two turns of others', async () => {
  const turns = new ReadingTurns()
  let working = new Set<number>()
  let mostAtOnce = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await nextTurn()
      mostAtOnce = Math.max(mostAtOnce, working.size)
      working = new Set()
    }
  })()
  await Promise.all(
    Array.from({ length: 8 }, (_, stream) =>
      importBody(WRONG.repeat(5_000), turns, () => working.add(stream)),
    ),
  )
  isOver = true
  await others
  // One whose turn begins at once, and then the first one that waited.
  expect(mostAtOnce).toBeLessThanOrEqual(2)
})

test('a stream whose first ten thousand lines are all refused is ended, and says so', async () => {
  expect(await importBody(WRONG.repeat(10_000), new ReadingTurns())).toEqual({
    summary: { created: 0, repeated: 0, refused: 10_000 },
  })
  expect(await importBody(WRONG.repeat(20_000), new ReadingTurns())).toEqual({
    summary: {
      created: 0,
      repeated: 0,
      refused: 10_001,
      stopped: {
        code: 'VALIDATION_ERROR',
        message:
          'More than 10,000 lines were refused and none was taken, so the import was ended. See what was said of them.',
      },
      nextLine: 10_002,
    },
  })
})

test('where one line was taken, any number may be refused', async () => {
  expect(await importBody(RIGHT + WRONG.repeat(20_000), new ReadingTurns())).toEqual({
    summary: { created: 1, repeated: 0, refused: 20_000 },
  })
})

test('an import that is sent again counts its repeated lines as taken, however many others are refused', async () => {
  const named = '{"content":"c","userId":"u","idempotencyKey":"k"}\n'
  const key = await service.newKey()
  await importBody(named, new ReadingTurns(), undefined, key)
  expect(
    await importBody(named + WRONG.repeat(20_000), new ReadingTurns(), undefined, key),
  ).toEqual({
    summary: { created: 0, repeated: 1, refused: 20_000 },
  })
})
