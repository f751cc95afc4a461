// A body is the same in whatever pieces it comes and whenever it arrived, one byte too many is refused, and
// it takes no more room than its bytes.
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../testing/collect-garbage.ts'
import { readBody } from './read-body.ts'

const MIB = 1024 * 1024

const piecesOf = fc.array(fc.uint8Array({ maxLength: 40 }))

test('a body is the same in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(piecesOf, async (pieces) => {
      const whole = Buffer.concat(pieces)
      const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
      expect(await readBody(body, whole.length)).toEqual(whole)
    }),
  )
})

/** As a request is whose body came together with its headers. */
function arrived(pieces: Iterable<Uint8Array>) {
  const body = Object.assign(new Readable({ read() {} }), { complete: true })
  for (const piece of pieces) body.push(Buffer.from(piece))
  body.push(null)
  return body
}

test('a body that has arrived is there at once, and its stream ends', async () => {
  await fc.assert(
    fc.asyncProperty(piecesOf, async (pieces) => {
      const whole = Buffer.concat(pieces)
      const body = arrived(pieces)
      const ended = once(body, 'end')
      const reading = readBody(body, whole.length)
      expect(body.listenerCount('data')).toBe(0)
      expect(await reading).toEqual(whole)
      await ended
    }),
  )
})

test('a body that has arrived and is one byte too long is refused', async () => {
  const body = arrived([Buffer.from('1234567890'), Buffer.from('1')])
  await expect(readBody(body, 10)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('a body that has arrived is read, or refused as too long, though its sender has gone since', async () => {
  const goneFrom = async (text: string) => {
    const body = arrived([Buffer.from(text)]).on('error', () => undefined)
    body.destroy(new Error('gone'))
    await nextTurn()
    return body
  }
  expect(await readBody(await goneFrom('1234567890'), 10)).toEqual(Buffer.from('1234567890'))
  const tooLong = readBody(await goneFrom('12345678901'), 10)
  await expect(tooLong).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('a body of one byte too many is refused, in whatever pieces it comes', async () => {
  for (const pieces of [
    ['12345678901'],
    ['1234567890', '1'],
    ['1', '2345678901'],
    ['', 'x'.repeat(99)],
  ]) {
    const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
    await expect(readBody(body, 10)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  }
})

test('nobody keeps what comes of a body that was refused', async () => {
  const body = new PassThrough()
  const reading = readBody(body, 10)
  body.write('12345678901')
  await expect(reading).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  expect(body.listenerCount('data')).toBe(0)
})

test('a body whose connection breaks is refused with what broke it', async () => {
  const body = new PassThrough()
  const reading = readBody(body, 10)
  body.write('half')
  body.destroy(new Error('gone'))
  await expect(reading).rejects.toThrow('gone')
})

test('a body whose connection broke before it was read is refused, and not waited for', async () => {
  const body = new PassThrough().on('error', () => undefined)
  body.write('half')
  body.destroy(new Error('gone'))
  await nextTurn()
  await expect(readBody(body, 10)).rejects.toThrow('gone')
})

test('a body that comes byte by byte takes no more room than its bytes', async () => {
  const occupied = (): number => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const body = new PassThrough()
  const reading = readBody(body, MIB)
  const before = occupied()
  for (let sent = 0; sent < MIB / 4; sent += 1) {
    body.write(Buffer.alloc(1, 'x'))
    if (sent % 1_000 === 0) await nextTurn()
  }
  await nextTurn()
  expect(occupied() - before).toBeLessThan(4 * MIB)
  body.end()
  expect((await reading).length).toBe(MIB / 4)
})
