// Lines are the same wherever chunks begin and end, to the byte, and one that is too long costs no other.
// Beside them stand the lines of all bytes at once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank, type Line, splitLines } from './split-lines.ts'

const BYTES_MAX = 12

async function split(chunks: Buffer[]): Promise<Line[]> {
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks
  }
  return Array.fromAsync(splitLines(source(), BYTES_MAX))
}

/** The same, told over all bytes at once. */
function expectedLines(bytes: Buffer): Line[] {
  const texts = bytes.toString('latin1').split('\n')
  if (texts.at(-1) === '') texts.pop()
  return texts.map((text, index) => ({
    number: index + 1,
    bytes: text.length > BYTES_MAX ? undefined : Buffer.from(text, 'latin1'),
  }))
}

/** Cuts bytes at the given places, in whatever order. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length]
  ends.sort((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

const anyLine = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => Buffer.from(text)),
  // Invalid UTF-8 as well, and lines beyond the bound.
  fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(Buffer.from(''), Buffer.from('\r'), Buffer.from(' \t'), Buffer.from('{"ä":1}')),
)

test('wherever chunks begin and end, the lines are the same, numbered, to the last byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (lines, end, isEnded, places) => {
        const text = lines.flatMap((line, index) =>
          index < lines.length - 1 || isEnded ? [line, Buffer.from(end)] : [line],
        )
        const bytes = Buffer.concat(text)
        expect(await split(cut(bytes, places))).toEqual(expectedLines(bytes))
      },
    ),
    { numRuns: 500 },
  )
})

test('a line of exactly the bound is whole, one byte more is too long, and the next is whole again', async () => {
  const full = 'x'.repeat(BYTES_MAX)
  const lines = await split([Buffer.from(`${full}\n${full}`), Buffer.from(`y\n${full}`)])
  expect(lines.map(({ bytes }) => bytes?.toString())).toEqual([full, undefined, full])
})

test.each([
  ['', true],
  [' \t\r', true],
  ['\u00a0', false],
  [' {', false],
])('%j is blank: %s', (text, expected) => {
  expect(isBlank(Buffer.from(text))).toBe(expected)
})
