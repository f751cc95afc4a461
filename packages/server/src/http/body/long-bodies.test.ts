// Of the long bodies of one caller few are in memory at a time, and one is parsed in a round of the event loop.
import { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LongBodies, saysItIsLong } from './long-bodies.ts'
import { LONG_BYTES, ReadingTurns } from './reading-turns.ts'

const LONG = Buffer.alloc(LONG_BYTES)
const AT_ONCE = 64
const socket = new Socket()
const parse = (bytes: Buffer): number => bytes.length

test('a body that says its length is long from 64 KiB on', () => {
  expect(saysItIsLong({ headers: {} })).toBe(false)
  expect(saysItIsLong({ headers: { 'content-length': '65535' } })).toBe(false)
  expect(saysItIsLong({ headers: { 'content-length': '65536' } })).toBe(true)
})

test('in each round one long body is parsed, and callers take turns', async () => {
  const bodies = new LongBodies(new ReadingTurns())
  const parsed: string[] = []
  const read = (asker: string) =>
    bodies.read(asker, { socket, gather: async () => LONG, parse: () => parsed.push(asker) })
  const reading = [...Array<string>(20).fill('many'), 'one'].map(read)
  for (let before = 0; before < 21; ) {
    await nextRound()
    expect(parsed.length - before).toBeLessThanOrEqual(1)
    before = parsed.length
  }
  expect(parsed.indexOf('one')).toBeLessThanOrEqual(2)
  await Promise.all(reading)
})

test('of one caller no more than 64 are gathered at once, and a failure gives its place back', async () => {
  const bodies = new LongBodies(new ReadingTurns())
  const senders = Array.from({ length: AT_ONCE + 1 }, () => Promise.withResolvers<Buffer>())
  let gathering = 0
  const reading = senders.map(({ promise }) =>
    bodies.read('many', {
      socket,
      gather: () => {
        gathering += 1
        return promise
      },
      parse,
    }),
  )
  const outcomes = Promise.allSettled(reading)
  await nextRound()
  expect(gathering).toBe(AT_ONCE)
  expect(await bodies.read('one', { socket, gather: async () => LONG, parse })).toBe(LONG_BYTES)
  senders[0]?.reject(new Error('gone'))
  await nextRound()
  expect(gathering).toBe(AT_ONCE + 1)
  for (const { resolve } of senders) resolve(Buffer.from('{}'))
  const statuses = (await outcomes).map(({ status }) => status)
  expect(statuses).toEqual(['rejected', ...Array(AT_ONCE).fill('fulfilled')])
})

test('a connection is not read while its body waits for a place, and is when it has one', async () => {
  const bodies = new LongBodies(new ReadingTurns())
  const last = new Socket()
  const first = Promise.withResolvers<Buffer>()
  const reading = Array.from({ length: AT_ONCE }, () =>
    bodies.read('many', { socket, gather: () => first.promise, parse }),
  )
  reading.push(bodies.read('many', { socket: last, gather: async () => LONG, parse }))
  await nextRound()
  expect(last.isPaused()).toBe(true)
  first.resolve(LONG)
  await Promise.all(reading)
  expect(last.isPaused()).toBe(false)
})
