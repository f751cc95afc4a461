// The lines of a file, ready to be sent: blank ones left out, each with the number that it has in the
// file and with a key of its own, so that whatever is sent again is not stored again. The key follows
// from number and text: the same file, sent again, is the same.
import { createHash } from 'node:crypto'
import { BODY_BYTES_MAX } from '../../../contract/bounds.ts'
import { isBlank, type Line, splitLines } from '../../../http/body/split-lines.ts'
import { parsedJson } from '../../../parsed-json.ts'
import { beginsAsArchive } from '../../archive-start.ts'
import { UsageFailure } from '../../failure.ts'
import type { LineRange } from './line-ranges.ts'

/** `except`, in their order, are left out. */
export type ChosenLines = { fromLine: number; except: readonly LineRange[] }

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** `bytes` are undefined when a line is too long to be sent. */
export async function* memoryLines(
  input: AsyncIterable<Buffer>,
  chosen: ChosenLines,
): AsyncGenerator<Line, void> {
  for await (const { number, bytes } of linesToSend(input, chosen)) {
    yield { number, bytes: bytes && withKey(number, bytes) }
  }
}

/** How many `memoryLines` will give. */
export async function countLines(
  input: AsyncIterable<Buffer>,
  chosen: ChosenLines,
): Promise<number> {
  let count = 0
  for await (const _line of linesToSend(input, chosen)) count += 1
  return count
}

/** A blank line would get no answer, and each answer would be taken for that of the line before. */
async function* linesToSend(
  input: AsyncIterable<Buffer>,
  { fromLine, except }: ChosenLines,
): AsyncGenerator<Line, void> {
  let leftOut = 0
  for await (const { number, bytes } of splitLines(input, BODY_BYTES_MAX)) {
    const text = bytes && withoutMark(bytes)
    if (number === 1 && text !== undefined && beginsAsArchive(text)) throw wholeStore()
    while (number > (except[leftOut]?.to ?? number)) leftOut += 1
    if (number < fromLine || number >= (except[leftOut]?.from ?? Infinity)) continue
    if (text === undefined || !isBlank(text)) yield { number, bytes: text }
  }
}

const wholeStore = (): UsageFailure =>
  new UsageFailure(
    'This is an archive of a whole store, with the texts of all its keys. Import it into an empty store, without ' +
      '--url.',
  )

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes

/** In front of all fields, or behind them all: of two keys in a line, the later one holds. */
function withKey(number: number, bytes: Buffer): Buffer {
  const [, start = '', rest = ''] =
    /^(\s*\{)\s*(.?)/s.exec(bytes.toString('latin1', 0, 1_000)) ?? []
  // What is no object, or an empty one, is refused as it is.
  if (rest !== '"') return bytes
  const key = createHash('sha256').update(`${number}\n`).update(bytes).digest('base64url')
  const field = `"idempotencyKey":"${key}"`
  return saysNoKey(bytes)
    ? inserted(bytes, `,${field}`, bytes.lastIndexOf('}'))
    : inserted(bytes, `${field},`, start.length)
}

/** A key that is null counts as none, and would hold against one in front of it. */
function saysNoKey(bytes: Buffer): boolean {
  return bytes.includes('null') && Object(parsedJson(String(bytes))).idempotencyKey === null
}

const inserted = (bytes: Buffer, text: string, at: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)])
