// What speaks the Model Context Protocol: the official library, in both of its revisions that clients use
// (2026-07-28, and those of 2025 with their handshake), without sessions, so that any instance can answer
// any request. It is loaded with the first request: a service that no agent asks need not hold it.
// decisions/2026-11-27-tools-for-agents.md
import {
  createMcpHandler,
  McpServer,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import packageManifest from '../../../package.json' with { type: 'json' }
import { ApiError } from '../../contract/errors.ts'
import type { Service } from '../../core/service.ts'
import { logFailure } from '../failure-log.ts'
import type { Route } from '../operation.ts'
import { type Caller, callTool } from './tool-call.ts'
import { TOOLS, type Tool } from './tools.ts'

const IDENTITY = { name: 'mnemograph', title: 'Mnemograph', version: packageManifest.version }

const INSTRUCTIONS =
  'Long-term memory. Memories are texts that are found by meaning; entities and relations are a knowledge ' +
  'graph of named things. Search memories when an answer may depend on what was said before this ' +
  'conversation, and store what will matter after it: facts, preferences, decisions, each by itself.'

export type Message = {
  /** As it was parsed. */
  body: unknown
  /** Its method and its headers; the body is not read again. */
  request: Request
  caller: Caller
  /** The user whom all memories of this connection belong to. */
  userId: string | undefined
}

type Endpoint = (message: Message) => Promise<Response>

/** `origins` of browsers may ask; a program sends none. */
export function createEndpoint(
  service: Service,
  { routes, origins }: { routes: readonly Route[]; origins: readonly string[] },
): Endpoint {
  const offers = offersOf(routes, (tool) => tool)
  const offersOfOneUser = offersOf(routes, withoutUser)

  /**
   * For one message. The tools are not registered one by one: that would make a server of 13 tools anew for each
   * call, and check their arguments by other rules than those of the contract.
   */
  function serverFor({ caller, userId }: Message): McpServer['server'] {
    const { list, byName } = userId === undefined ? offers : offersOfOneUser
    const { server } = new McpServer(IDENTITY, {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false } },
    })
    server.setRequestHandler('tools/list', () => ({ tools: list }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const offer = byName.get(params.name)
      if (offer === undefined) throw unknownTool(list)
      return callTool(service, caller, { ...offer, given: params.arguments ?? {}, userId })
    })
    return server
  }

  return async (message) => {
    const refused = refusalOfOrigin(message.request, origins)
    if (refused !== undefined) return refused
    let cause: unknown
    const { fetch } = createMcpHandler(() => serverFor(message), {
      // The tools never change: there is nothing to listen to.
      maxSubscriptions: 0,
      onerror: (error) => {
        cause = error
      },
    })
    const response = await fetch(message.request, { parsedBody: message.body })
    if (response.status >= 500) {
      logFailure(message.caller.log, new ApiError('INTERNAL_ERROR', { cause }))
    }
    return response
  }
}

/** The library would compare the names of the hosts alone: here it has none to allow. */
function refusalOfOrigin(request: Request, origins: readonly string[]): Response | undefined {
  const isAllowed = origins.includes(request.headers.get('origin') ?? '')
  return isAllowed ? undefined : originValidationResponse(request, [])
}

function offersOf(routes: readonly Route[], change: (tool: Tool) => Tool) {
  const offers = routes.map((route) => ({ route, tool: change(toolOf(route)) }))
  return {
    byName: new Map(offers.map((offer) => [offer.tool.name, offer])),
    list: offers.map(({ tool: { name, title, description, annotations, ...tool } }) => ({
      name,
      title,
      description,
      annotations,
      inputSchema: {
        type: 'object' as const,
        properties: tool.properties,
        required: [...tool.required],
        additionalProperties: false,
      },
    })),
  }
}

function toolOf({ id }: Route): Tool {
  const tool = TOOLS.find(({ operation }) => operation === id)
  if (tool === undefined) throw new Error(`No tool stands for ${id}.`)
  return tool
}

const unknownTool = (tools: readonly { name: string }[]): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool of that name. There are ${tools.map(({ name }) => name).join(', ')}.`,
  )

/** Where the connection says whose memories these are, nobody asks the model. */
function withoutUser(tool: Tool): Tool {
  const { userId, ...properties } = tool.properties
  if (userId === undefined) return tool
  return { ...tool, properties, required: tool.required.filter((name) => name !== 'userId') }
}
