// What the protocol wants to see of a message in the headers of its request. Since 2026-07-28 each message
// names its revision itself, and the headers repeat that, its method and what it is about; a server refuses
// where they differ. Before, the handshake agreed on a revision for all that follows. `Mcp-Param-…`
// is for tools that ask for it, and none here does.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
import type { Message } from './message.ts'

const REVISION = 'io.modelcontextprotocol/protocolVersion'

/** By method, the parameter that says what it is about. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/** `agreed` is the revision of the handshake, if there was one. */
export function messageHeaders(
  { method, params }: Message,
  agreed: string | undefined,
): Record<string, string> {
  const { [REVISION]: own } = Object(params['_meta'])
  if (typeof own !== 'string' || method === undefined) {
    return agreed === undefined ? {} : { 'mcp-protocol-version': fieldValue(agreed) }
  }
  const subject = params[SUBJECTS.get(method) ?? '']
  return {
    'mcp-protocol-version': fieldValue(own),
    'mcp-method': fieldValue(method),
    ...(typeof subject === 'string' ? { 'mcp-name': fieldValue(subject) } : {}),
  }
}

/** What a header cannot carry as it is goes in the protocol's own wrapping. */
const fieldValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
