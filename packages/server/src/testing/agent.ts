// An agent's side of the Model Context Protocol, by the protocol's own client.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { type Answer, apiClient } from './api-client.ts'

export type Agent = {
  client: Client
  /** What the tool told, parsed. */
  call: (name: string, given?: Record<string, unknown>) => Promise<ToolAnswer>
}

type ToolAnswer = { answer: ReturnType<typeof Object>; isError: boolean }

type Mode = 'auto' | 'legacy'

/** Connected; `mode` chooses the revision: the newest that both know, or those of 2025. */
export const agentOf = (
  address: string,
  key: string,
  { path = '/mcp', mode = 'auto' as Mode } = {},
): Promise<Agent> =>
  agentOver(
    new StreamableHTTPClientTransport(new URL(path, address), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
    mode,
  )

export async function agentOver(transport: Transport, mode: Mode = 'auto'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    client,
    call: async (name, given = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: given })
      const [part] = content
      const answer: unknown = JSON.parse(part?.type === 'text' ? part.text : '')
      return { answer: Object(answer), isError }
    },
  }
}

/** What a client has to take. */
export const ACCEPT = { accept: 'application/json, text/event-stream' }

/** One message, as it stands. */
export const postMessage = (
  address: string,
  key: string | undefined,
  json: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  apiClient(address, key)('POST', '/mcp', {
    json,
    headers: { ...ACCEPT, ...headers },
  })

export const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
