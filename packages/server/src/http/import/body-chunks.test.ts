// A body is taken only as it is asked for, and whether it ended, broke off, fell silent or was stopped is
// never mistaken. A stream in memory stands for the request.
import { getEventListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { bodyChunks } from './body-chunks.ts'

/** What `bodyChunks` asks of a request, every stream has. */
const asBody = (stream: PassThrough): IncomingMessage => Object(stream)

function reading(silenceMsMax = 60_000) {
  const body = new PassThrough()
  const broken: string[] = []
  const stopping = new AbortController()
  const chunks = bodyChunks(asBody(body), {
    signal: stopping.signal,
    silenceMsMax,
    onBroken: ({ code }) => broken.push(code),
  })
  const next = async () => String((await chunks.next()).value ?? 'end')
  return { body, broken, stopping, next }
}

test('a body that ends is whole', async () => {
  const { body, broken, next } = reading()
  body.end('all of it')
  expect([await next(), await next(), broken]).toEqual(['all of it', 'end', []])
})

test('a body whose connection is lost is broken, also between two pieces', async () => {
  const { body, broken, next } = reading()
  body.write('half')
  expect(await next()).toBe('half')
  const waiting = next()
  body.destroy()
  expect([await waiting, broken]).toEqual(['end', ['BAD_REQUEST']])
  const other = reading()
  other.body.destroy()
  expect([await other.next(), other.broken]).toEqual(['end', ['BAD_REQUEST']])
})

test("silence is broken off, and a stop is not the sender's fault", async () => {
  const silent = reading(20)
  expect([await silent.next(), silent.broken]).toEqual(['end', ['REQUEST_TIMEOUT']])
  const { stopping, broken, next } = reading()
  const waiting = next()
  stopping.abort()
  expect([await waiting, await next(), broken]).toEqual(['end', 'end', []])
})

test('what is not asked for is not taken', async () => {
  const { body, next } = reading()
  body.write('first')
  expect(await next()).toBe('first')
  body.write('second')
  await new Promise(setImmediate)
  expect(await next()).toBe('second')
  let isTaken = false
  for (let piece = 0; piece < 10; piece += 1) isTaken = body.write(Buffer.alloc(64 * 1024))
  await new Promise(setImmediate)
  expect([isTaken, body.readableLength]).toEqual([false, expect.any(Number)])
  expect(body.readableLength).toBeLessThanOrEqual(128 * 1024)
})

test('after a stop between two pieces nothing more is waited for', async () => {
  const { body, broken, stopping, next } = reading()
  body.write('half')
  expect(await next()).toBe('half')
  stopping.abort()
  expect([await next(), broken]).toEqual(['end', []])
})

test('however many pieces a body comes in, none leaves anything that listens', async () => {
  const { body, broken, stopping, next } = reading()
  const listening = () => [
    ...body.eventNames().map((name) => body.listenerCount(name)),
    getEventListeners(stopping.signal, 'abort').length,
  ]
  const before = listening()
  for (let piece = 0; piece < 20; piece += 1) {
    body.write('piece')
    expect(await next()).toBe('piece')
  }
  expect([listening(), broken]).toEqual([before, []])
})
