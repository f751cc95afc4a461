// Cuts a stream of bytes into lines, as bytes: a checksum is over what is really there.
import { ArchiveProblem } from './format.ts'

const LINE_BREAK = 0x0a
/** Far more than the longest record: what has no line break for so long is no archive. */
const LINE_BYTES_MAX = 64 * 1024 * 1024

/** Each without its line break. Throws an ArchiveProblem when the last one has none. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let restBytes = 0
  let lines = 0
  for await (const bytes of stream) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let from = 0
    for (;;) {
      const end = chunk.indexOf(LINE_BREAK, from)
      if (end === -1) break
      lines += 1
      yield Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      restBytes = 0
      from = end + 1
    }
    rest.push(chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes > LINE_BYTES_MAX) {
      throw new ArchiveProblem(`Line ${lines + 1} is longer than any line of an archive.`)
    }
  }
  if (restBytes > 0) throw new ArchiveProblem(`The file ends in the middle of line ${lines + 1}.`)
}
