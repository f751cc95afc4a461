// What a stream of server-sent events says: the data of each event, by the rules of its format as far as this
// protocol uses it. An event that breaks off is none.
import { splitLines } from '../../http/body/split-lines.ts'

/** Lines beyond the bound are left out. */
export async function* eventData(
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<string, void> {
  let data: string[] = []
  for await (const { bytes = '' } of splitLines(chunks, lineBytesMax)) {
    const line = String(bytes).replace(/\r$/, '')
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
    if (line !== '') continue
    // An event may be there for its id alone.
    if (data.some((part) => part !== '')) yield data.join('\n')
    data = []
  }
}
