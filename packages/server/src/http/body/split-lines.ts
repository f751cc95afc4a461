// Cuts a stream of bytes into lines, wherever its chunks begin and end. A line that is longer than
// the bound is told and skipped, never kept: memory stays bounded whatever comes.
import { GatheredBytes } from './gathered-bytes.ts'

const LINE_FEED = 0x0a

/** `bytes` without the line feed; undefined when they are more than the bound. */
export type Line = { number: number; bytes: Buffer | undefined }

/** Every line, empty ones too; the last one needs no line feed. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<Line, void> {
  let number = 1
  const line = new GatheredBytes()
  let length = 0

  const add = (part: Buffer): void => {
    length += part.length
    if (length > bytesMax) line.take()
    else line.add(part)
  }
  const take = (): Line => {
    const taken = { number, bytes: length > bytesMax ? undefined : line.take() }
    number += 1
    length = 0
    return taken
  }

  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start)
      if (end === -1) break
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}

/** White space alone, as JSON knows it. */
export const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
