// The document says what the contract says, and nothing else. It is made from the same tables, but by code
// that could leave something out, so operations, errors and fields are compared in both directions.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { PRIVATE_KEYWORDS } from '../../contract/fields.ts'
import { OPERATION_IDS, OPERATIONS } from '../../contract/operations.ts'
import { openApiDocument } from './document.ts'
import { errorName, errorsOf, OUTSIDE_OPERATIONS } from './errors.ts'
import { MEANINGS } from './meanings.ts'
import { printedDocument } from './printed-document.ts'
import { ANSWERS, REQUEST_BODIES, SHAPES } from './shapes.ts'
import type { Schema } from './types.ts'

const document = openApiDocument()
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const schemaNames = Object.keys(document.components.schemas)

/** Everything in the document that has this key. */
function everyValueOf(key: string, within: unknown = document): unknown[] {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...everyValueOf(key, value),
  ])
}

/** Everything in the document that says this. */
function everyObjectWith(key: string, value: unknown, within: unknown = document): object[] {
  if (typeof within !== 'object' || within === null) return []
  const found = Object.values(within).flatMap((part) => everyObjectWith(key, value, part))
  return Object.entries(within).some(([name, part]) => name === key && part === value)
    ? [within, ...found]
    : found
}

describe('the document and the table of operations', () => {
  test('it has the thirteen operations with their methods, paths and successes, and no other', () => {
    const found = described.map(({ path, method, operation }) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: path.replace('{id}', ':id'),
      successes: Object.keys(operation.responses).filter((status) => status < '400'),
    }))
    const expected = OPERATION_IDS.map((id) => ({
      id,
      method: OPERATIONS[id].method,
      path: OPERATIONS[id].path,
      successes: [String(OPERATIONS[id].successStatus)],
    }))
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id)
    expect(found).toHaveLength(13)
    expect(found.sort(byId)).toEqual(expected.sort(byId))
  })

  test.each(OPERATION_IDS)('%s has exactly its errors, each under its status', (id) => {
    const responses = described.find(({ operation }) => operation.operationId === id)?.operation
      .responses
    const found = Object.entries(responses ?? {})
      .filter(([status]) => status >= '400')
      .flatMap(([status, { content }]) =>
        Object.keys(content['application/json'].examples ?? {}).map((code) => `${status} ${code}`),
      )
    expect(found.sort()).toEqual(
      errorsOf(id)
        .map((code) => `${ERRORS[code].status} ${code}`)
        .sort(),
    )
    expect(errorsOf(id)).toEqual(expect.arrayContaining([...OPERATIONS[id].errors]))
  })

  test('each has the answers of a store that is full or away, reads too: what they draw on is written', () => {
    const ofAFailingStore: ErrorCode[] = ['SERVICE_UNAVAILABLE', 'STORAGE_FULL']
    for (const id of OPERATION_IDS) {
      expect(errorsOf(id)).toEqual(expect.arrayContaining(ofAFailingStore))
    }
  })
})

describe('the document and the catalogue of errors', () => {
  test('every code of the catalogue is an answer in the document, and no other code is', () => {
    const answered = [
      ...described.flatMap(({ operation }) => Object.values(operation.responses)),
      ...Object.values(document.components.responses),
    ].flatMap(({ content }) =>
      Object.values(content['application/json'].examples ?? {}).flatMap(({ value }) =>
        everyValueOf('code', value),
      ),
    )
    expect([...new Set(answered)].sort()).toEqual([...ERROR_CODES].sort())
  })

  test('every code has a schema that promises it', () => {
    for (const code of ERROR_CODES) {
      const schema = document.components.schemas[errorName(code)]
      expect(schema?.properties?.['error']?.properties?.['code']).toMatchObject({ const: code })
    }
  })

  test('what no operation answers is described beside them', () => {
    expect(Object.keys(document.components.responses)).toEqual(OUTSIDE_OPERATIONS.map(errorName))
    expect(OPERATION_IDS.flatMap(errorsOf)).not.toContain('METHOD_NOT_ALLOWED')
  })
})

describe('the document itself', () => {
  test('every reference leads somewhere', () => {
    const places = new Set(
      Object.entries(document.components).flatMap(([kind, parts]) =>
        Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
      ),
    )
    const references = everyValueOf('$ref')
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter((reference) => !places.has(String(reference)))).toEqual([])
  })

  test('generators of clients can follow every schema: lists have items, cycles run through objects', () => {
    /** The named schemas that one consists of, but for what the fields of objects are. */
    const partsOf = ({ $ref, items, anyOf = [], oneOf = [] }: Schema): string[] => [
      ...($ref === undefined ? [] : [$ref]),
      ...[...(items === undefined ? [] : [items]), ...anyOf, ...oneOf].flatMap(partsOf),
    ]
    const follow = (name: string, before: readonly string[]): void => {
      expect(before, `${name} consists of itself`).not.toContain(name)
      for (const part of partsOf(document.components.schemas[name] ?? {})) {
        follow(part.split('/').at(-1) ?? '', [...before, name])
      }
    }
    for (const name of schemaNames) follow(name, [])
    const lists = everyObjectWith('type', 'array')
    expect(lists.length).toBeGreaterThan(5)
    for (const list of lists) expect(list).toHaveProperty('items')
  })

  test('no link has a body: OpenAPI Generator takes a document with one for broken', () => {
    const links = everyValueOf('links').flatMap((named) => Object.values(Object(named)))
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) expect(link).not.toHaveProperty('requestBody')
  })

  test('no schema holds a keyword that only our own validation knows', () => {
    const { schemas } = document.components
    const parameters = described.flatMap(({ operation }) => operation.parameters ?? [])
    for (const keyword of PRIVATE_KEYWORDS) {
      // An error's body has a property that is called code.
      const found = everyValueOf(keyword, { schemas, parameters }).filter(
        (value) => keyword !== 'code' || typeof value === 'string',
      )
      expect(found, keyword).toEqual([])
    }
  })

  test('every field of a body or an answer and every query parameter has a meaning, and no other', () => {
    const fields = (name: string) =>
      Object.keys(document.components.schemas[name]?.properties ?? {}).sort()
    const named = [...Object.keys(REQUEST_BODIES), ...Object.keys(ANSWERS)]
    for (const name of named)
      expect(Object.keys(MEANINGS[name] ?? {}).sort(), name).toEqual(fields(name))
    const withQuery = OPERATION_IDS.filter((id) => SHAPES[id].query !== undefined)
    for (const id of withQuery) {
      const parameters = Object.keys(SHAPES[id].query?.properties ?? {})
      expect(Object.keys(MEANINGS[id] ?? {}).sort(), id).toEqual(parameters.sort())
    }
    expect(Object.keys(MEANINGS).sort()).toEqual([...named, ...withQuery].sort())
  })

  test('the header that makes a create repeatable is on the three creates and nowhere else', () => {
    const repeatable = described
      .filter(({ operation }) => operation.parameters?.some(({ in: place }) => place === 'header'))
      .map(({ operation }) => operation.operationId)
    expect(repeatable).toEqual(['memories.create', 'entities.create', 'relations.create'])
  })

  test('names of schemas are unique although errors share their list with records', () => {
    expect(schemaNames).toHaveLength(new Set(schemaNames.map((name) => name.toLowerCase())).size)
    expect(schemaNames).toHaveLength(
      Object.keys({ ...REQUEST_BODIES, ...ANSWERS }).length + 4 + ERROR_CODES.length,
    )
  })

  test('openapi.json at the root is what the contract says: npm run openapi writes it', () => {
    const committed = readFileSync(new URL('../../../../../openapi.json', import.meta.url), 'utf8')
    expect(committed).toBe(printedDocument())
  })
})

describe('the document hides no exception', () => {
  test.each([
    'NewMemory',
    'NewEntity',
    'NewRelation',
    'Memory',
    'Entity',
    'CreatedRelation',
    'Relation',
  ])(
    'the metadata of %s is said to come back but for the order of some keys, and numbers',
    (name) => {
      const { metadata } = document.components.schemas[name]?.properties ?? {}
      const said = metadata?.description
      expect(said).toMatch(/whole numbers .* come first.* given twice.* doubles/)
      expect(said).not.toContain('xactly')
    },
  )

  test('the list parameter tags is said to know no comma in a tag, and no white space at either end', () => {
    const tags = described
      .find(({ operation }) => operation.operationId === 'memories.list')
      ?.operation.parameters?.find(({ name }) => name === 'tags')
    expect(tags?.description).toMatch(
      /holds a comma.* begins or ends with white space.* search only/,
    )
  })
})
