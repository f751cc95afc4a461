// The OpenAPI document, made from the contract: the table of operations, the catalogue of errors
// and the schemas that validate. Nothing of it is written twice, so it cannot disagree with what the
// service does; openapi.json at the root is its printed form.
import packageManifest from '../../../package.json' with { type: 'json' }
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../contract/operations.ts'
import { RATE_LIMIT_DEFAULTS } from '../../contract/plans.ts'
import { DESCRIPTIONS, TAGS } from './descriptions.ts'
import { EXCHANGES } from './examples.ts'
import { HEADERS } from './headers.ts'
import { parametersOf } from './parameters.ts'
import { schemaRef } from './published-schema.ts'
import { outsideResponses, responsesOf } from './responses.ts'
import { componentSchemas } from './schemas.ts'
import { SHAPES } from './shapes.ts'
import type { OpenApiDocument, OperationObject } from './types.ts'

const INTRODUCTION = `\
Send an API key with every request: \`Authorization: Bearer mng_…\`. A key sees its own data only.

Rate limits are counted per key, apart for reads, writes and searches, in windows of 60 seconds, each from its \
first request on. A request that fails counts too, a 429 does not. Every response tells where you stand in \
\`X-RateLimit-*\` and, to a valid key, in \`X-Quota-*\`. After a 429 or 503, wait \`Retry-After\` \
seconds.

Every error has the form \`{"error": {"code", "message"}}\`; act on the code. A path that does not \
exist answers \`NOT_FOUND\`, a method that it does not support \`METHOD_NOT_ALLOWED\`. HEAD works \
wherever GET does. Unknown fields and parameters are ignored; \`tags[]\`, as libraries write a list, is \
refused like a parameter that is given twice.

Times are in UTC, as \`2026-11-21T09:30:12.418Z\`. Lengths are counted in Unicode code points.`

export function openApiDocument(): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Mnemograph',
      version: packageManifest.version,
      summary: 'Texts found by meaning, and a knowledge graph.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.values(TAGS),
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'mng_…',
          description: 'An API key. It is made by `mnemograph keys create` and shown only once.',
        },
      },
      headers: HEADERS,
      responses: outsideResponses(),
      schemas: componentSchemas(),
    },
  }
}

function paths(): OpenApiDocument['paths'] {
  const byPath: OpenApiDocument['paths'] = {}
  for (const id of OPERATION_IDS) {
    const { method, path } = OPERATIONS[id]
    const template = path.replace(':id', '{id}')
    byPath[template] = { ...byPath[template], [method.toLowerCase()]: operation(id) }
  }
  return byPath
}

function operation(id: OperationId): OperationObject {
  const { summary, rateClass, counted } = OPERATIONS[id]
  const limit = RATE_LIMIT_DEFAULTS[rateClass]
  const parameters = parametersOf(id)
  const { body } = SHAPES[id]
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary,
    description:
      `${DESCRIPTIONS[id]}\n\nDraws on the ${rateClass} limit, ${limit} requests a minute unless ` +
      `the key has another. ${counted ? 'A success counts as one operation of the monthly quota.' : 'Free: it does not count toward the monthly quota.'}`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true as const,
        content: {
          'application/json': {
            schema: schemaRef(body),
            examples: Object.fromEntries(
              EXCHANGES[id].map(({ name, summary, body: value = {} }) => [
                name,
                { summary, value },
              ]),
            ),
          },
        },
      },
    }),
    responses: responsesOf(id),
  }
}

function tagOf(id: OperationId): string {
  if (id.startsWith('memories.')) return TAGS.memories.name
  return id.startsWith('entities.') ? TAGS.entities.name : TAGS.relations.name
}
