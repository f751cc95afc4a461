// What becomes of the log when whoever should take it has no room, does not read, or is gone.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { LogDestination, WAITING_BYTES_MAX } from './log-destination.ts'
import { type NamedPipe, namedPipe, PIPE_BYTES } from './testing/named-pipe.ts'

const LINE_BYTES = 256
const lineOf = (number: number): string =>
  `${JSON.stringify({ number }).padEnd(LINE_BYTES - 1, ' ')}\n`
const numbers = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => from + at)

/** What comes out of the pipe until nothing has come for a while. */
async function readAll(pipe: NamedPipe): Promise<{ number?: number; dropped?: number }[]> {
  const pieces: Buffer[] = []
  for (let silentMs = 0; silentMs < 500; silentMs += 10) {
    const some = pipe.read()
    pieces.push(some)
    if (some.length > 0) silentMs = 0
    await sleep(10)
  }
  return String(Buffer.concat(pieces))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

test('lines come whole and in order to a reader that is late, also those longer than a pipe', async () => {
  const pipe = namedPipe()
  const log = new LogDestination(pipe.writer)
  const written = numbers(2_000)
  for (const number of written) {
    if (number === 1_000) log.write(`${JSON.stringify({ text: 'ü'.repeat(PIPE_BYTES) })}\n`)
    log.write(lineOf(number))
    if (number % 100 === 0) await sleep(1)
  }
  const lines = await readAll(pipe)
  expect(lines.flatMap(({ number }) => number ?? [])).toEqual(written)
  expect(lines[1_000]).toEqual({ text: 'ü'.repeat(PIPE_BYTES) })
})

test('while nobody reads, only so much waits, and then a line says how many are missing', async () => {
  const pipe = namedPipe()
  const log = new LogDestination(pipe.writer)
  const count = (5 * WAITING_BYTES_MAX) / LINE_BYTES
  for (const number of numbers(count)) {
    log.write(lineOf(number))
    if (number % 100 === 0) await sleep(0)
  }
  const kept = await readAll(pipe)
  const most = (WAITING_BYTES_MAX + 2 * PIPE_BYTES) / LINE_BYTES
  expect(kept.length).toBeGreaterThan(WAITING_BYTES_MAX / LINE_BYTES - 1)
  expect(kept.length).toBeLessThan(most)
  expect(kept).toEqual(numbers(kept.length).map((number) => ({ number })))
  log.write(lineOf(count))
  const [gap, next] = await readAll(pipe)
  expect(gap).toMatchObject({ level: 40, dropped: count - kept.length })
  expect(next).toEqual({ number: count })
})

test('what nobody can take is dropped, and counted once there is a reader again', async () => {
  const pipe = namedPipe()
  const log = new LogDestination(pipe.writer)
  pipe.closeReader()
  for (const number of numbers(30)) {
    log.write(lineOf(number))
    await sleep(1)
  }
  log.flushSync()
  pipe.openReader()
  const lines = []
  for (const number of numbers(3, 30)) {
    log.write(lineOf(number))
    lines.push(...(await readAll(pipe)))
  }
  const dropped = lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0)
  const received = lines.filter(({ number }) => number !== undefined)
  expect(dropped).toBeGreaterThan(0)
  expect(dropped + received.length).toBe(33)
  expect(lines.at(-1)).toEqual({ number: 32 })
})

test('a line that was begun and not ended has a line to itself', async () => {
  const pipe = namedPipe()
  const log = new LogDestination(pipe.writer)
  log.write(`${'x'.repeat(2 * PIPE_BYTES)}\n`)
  let text = ''
  const read = (): string => {
    text += String(pipe.read())
    return text
  }
  await expect.poll(read).not.toBe('')
  pipe.closeReader()
  await sleep(200)
  pipe.openReader()
  log.write(lineOf(1))
  await expect.poll(read).toContain(lineOf(1))
  const [torn, gap, next] = text.split('\n')
  expect(torn).toMatch(/^x+$/)
  expect(JSON.parse(gap ?? '')).toMatchObject({ dropped: 1 })
  expect(`${next}\n`).toBe(lineOf(1))
})

test('at the end what waits is written at once, or given up within a moment', () => {
  const pipe = namedPipe()
  const log = new LogDestination(pipe.writer)
  for (const number of numbers(100)) log.write(lineOf(number))
  log.flushSync()
  expect(String(pipe.read())).toBe(numbers(100).map(lineOf).join(''))
  for (const number of numbers(1_000)) log.write(lineOf(number))
  const beganAtMs = performance.now()
  log.flushSync()
  expect(performance.now() - beganAtMs).toBeLessThan(2_000)
})

test('a full disk takes nothing, and hears of nothing', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const log = new LogDestination(full)
  for (const number of numbers(100)) log.write(lineOf(number))
  await sleep(20)
  for (const number of numbers(10_000)) log.write(lineOf(number))
  log.flushSync()
})

const MODULE = new URL('./log-destination.ts', import.meta.url).href
const programOf = (body: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { logToStderr } from '${MODULE}'; const log = logToStderr(); ${body}`,
]

test.each([
  ['is told to end', 'process.exit(1)', /^$/],
  ['fails', 'throw new Error("FAILED")', /Error: FAILED/],
])(
  'the last lines of a process that %s come out, in their order, behind those under way',
  (_, end, rest) => {
    const body = `
      for (let turn = 0; turn < 5; turn += 1) {
        for (let line = 0; line < 50; line += 1) log.write('{"line":' + (50 * turn + line) + '}\\n')
        await new Promise(setImmediate)
      }
      log.write('{"line":250}\\n')
      ${end}`
    const { status, stderr } = spawnSync(process.execPath, programOf(body), { encoding: 'utf8' })
    expect(status).toBe(1)
    const lines = stderr.split('\n').filter((line) => line.startsWith('{"line"'))
    expect(lines).toEqual(numbers(251).map((line) => `{"line":${line}}`))
    expect(stderr.replaceAll(/^\{"line".*\n/gm, '')).toMatch(rest)
  },
)

test('a pipe that blocks, and is full, keeps no process from its end', async () => {
  const { writer } = namedPipe()
  const body = `
    for (let line = 0; line < 2_000; line += 1) log.write(' '.repeat(99) + '\\n')
    setTimeout(() => process.exit(0), 100)`
  const child = spawn(process.execPath, programOf(body), { stdio: ['ignore', 'ignore', writer] })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([0, null])
})
