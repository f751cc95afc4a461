// One call of a tool: the same key, limits, quota, validation and counting as the request that the tool
// stands for, and the same words where it is refused. A refusal is an answer here, for the model to read: where
// there is no such id it says too which tool tells ids, since models make them up, or give names.
// decisions/2026-11-27-tools-for-agents.md
import type { FastifyBaseLogger } from 'fastify'
import { ApiError, type ErrorCode } from '../../contract/errors.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { errorKind } from '../../contract/statistics.ts'
import type { Service } from '../../core/service.ts'
import { toApiError } from '../error-handler.ts'
import { logFailure } from '../failure-log.ts'
import type { Route } from '../operation.ts'
import { rateLimitExceeded } from '../rate-limit-headers.ts'
import { expectOnly, type Given } from '../validation/read-input.ts'
import { withShortenedTexts } from './shortened-texts.ts'
import type { Tool } from './tools.ts'

export type Caller = { key: string; keyId: string; log: FastifyBaseLogger; left: AbortSignal }

type ToolAnswer = { content: [{ type: 'text'; text: string }]; isError?: true }

type Arguments = Readonly<Record<string, unknown>>

type ToolCall = {
  tool: Tool
  /** The operation that the tool stands for. */
  route: Route
  given: Arguments
  /** Of a tool that does not take it from the model. */
  userId: string | undefined
}

const FIND_ENTITY = 'list_entities finds ids by names.'
const WHERE_IDS_ARE: Partial<Record<ErrorCode, string>> = {
  MEMORY_NOT_FOUND: 'search_memories and list_memories tell ids.',
  ENTITY_NOT_FOUND: FIND_ENTITY,
  SOURCE_ENTITY_NOT_FOUND: FIND_ENTITY,
  TARGET_ENTITY_NOT_FOUND: FIND_ENTITY,
  RELATION_NOT_FOUND: 'list_relations tells ids.',
}

/** Looks at the key anew: it can have been revoked since the request came. */
export async function callTool(
  service: Service,
  { key, keyId, log, left }: Caller,
  { tool, route, given, userId }: ToolCall,
): Promise<ToolAnswer> {
  const { operation } = tool
  try {
    const admitted = await service.admission.admit(key, OPERATIONS[operation].rateClass)
    if (!admitted.rate.isAllowed) throw rateLimitExceeded(admitted.rate)
    expectArgumentsOf(tool, given)
    const parts = requestParts(tool, userId === undefined ? given : { ...given, userId })
    const answer = await route.perform(service, { ...parts, headers: {}, admitted }, left)
    service.usageJournal.count(keyId, operation)
    return told(withShortenedTexts(answer, tool.toolForWhole))
  } catch (error) {
    const refusal = toApiError(error)
    logFailure(log, refusal)
    service.usageJournal.count(keyId, errorKind(refusal.code))
    return { ...told(forModel(refusal)), isError: true }
  }
}

const told = (answer: unknown): ToolAnswer => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
})

function forModel(refusal: ApiError): object {
  const { error } = refusal.body()
  const where = WHERE_IDS_ARE[refusal.code]
  return {
    error: where === undefined ? error : { ...error, message: `${refusal.message} ${where}` },
  }
}

/** A model that writes `user_id` for `userId` would search among everybody's memories. */
function expectArgumentsOf({ name, properties }: Tool, given: Arguments): void {
  const known = Object.keys(properties)
  const message = `${name} has no argument of that name. It takes ${known.join(', ')}.`
  expectOnly(known, given, message)
}

/** The arguments, where the request has them: as texts in its path and its query string. */
function requestParts({ operation, properties }: Tool, given: Arguments): Given {
  const { method } = OPERATIONS[operation]
  if (method === 'POST') return { body: given, query: {}, params: {} }
  if (Object.hasOwn(properties, 'id')) return { body: undefined, query: {}, params: withId(given) }
  const query = Object.entries(given).map(([name, value]) => {
    const isWritten = typeof value === 'number' && properties[name]?.type === 'integer'
    // A list would be refused as a parameter that is given twice.
    return [name, isWritten ? String(value) : Array.isArray(value) ? null : value]
  })
  return { body: undefined, query: Object.fromEntries(query), params: {} }
}

/** A path has an id always, and any text may be one. */
function withId(given: Arguments): Arguments {
  if (typeof given['id'] === 'string') return given
  throw new ApiError('VALIDATION_ERROR', {
    message: 'id must be the id of a record, as a text.',
    fields: { field: 'id' },
  })
}
