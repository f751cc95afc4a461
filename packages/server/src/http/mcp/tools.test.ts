import { expect, test } from 'vitest'
import { OPERATION_IDS } from '../../contract/operations.ts'
import { TOOLS } from './tools.ts'

const named = (name: string) => TOOLS.find((tool) => tool.name === name)

test('each operation is one tool, called by what it does', () => {
  expect(TOOLS.map(({ operation }) => operation)).toEqual(OPERATION_IDS)
  expect(TOOLS.map(({ name }) => name)).toEqual([
    'create_memory',
    'search_memories',
    'list_memories',
    'get_memory',
    'delete_memory',
    'create_entity',
    'list_entities',
    'get_entity',
    'delete_entity',
    'create_relation',
    'list_relations',
    'get_relation',
    'delete_relation',
  ])
})

test('a client can tell what only reads from what stores, and that from what deletes', () => {
  const kinds = (readOnlyHint: boolean, destructiveHint: boolean) =>
    TOOLS.filter(
      ({ annotations }) =>
        annotations.readOnlyHint === readOnlyHint &&
        annotations.destructiveHint === destructiveHint,
    ).map(({ name }) => name.split('_')[0])
  expect(new Set(kinds(true, false))).toEqual(new Set(['search', 'list', 'get']))
  expect(new Set(kinds(false, false))).toEqual(new Set(['create']))
  expect(new Set(kinds(false, true))).toEqual(new Set(['delete']))
  expect(kinds(true, true)).toEqual([])
  const again = TOOLS.filter(({ annotations }) => !annotations.idempotentHint)
  expect(again.map(({ name }) => name)).toEqual([
    'create_memory',
    'create_entity',
    'create_relation',
  ])
  expect(TOOLS.some(({ annotations }) => annotations.openWorldHint)).toBe(false)
})

test('a cut text names the tool that fetches what it was cut from', () => {
  expect(named('search_memories')?.toolForWhole).toBe('get_memory')
  expect(named('list_entities')?.toolForWhole).toBe('get_entity')
})

test('the arguments are the fields of the operation, with their types, bounds and defaults', () => {
  expect(named('search_memories')).toMatchObject({
    required: ['query'],
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 10_000 },
      tags: { type: 'array', items: { type: 'string', maxLength: 128 }, maxItems: 50 },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      threshold: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
    },
  })
  expect(named('create_entity')).toMatchObject({
    required: ['name', 'type'],
    properties: {
      type: { type: 'string', enum: expect.arrayContaining(['PERSON', 'OTHER']) },
      description: { type: 'string' },
      metadata: { type: 'object' },
    },
  })
  expect(named('delete_relation')).toMatchObject({
    required: ['id'],
    properties: { id: { type: 'string' } },
  })
})

test('every argument is explained, and no schema holds what models cannot read', () => {
  for (const { name, properties } of TOOLS) {
    expect(Object.keys(properties), name).not.toEqual([])
    for (const [argument, schema] of Object.entries(properties)) {
      expect(schema.description, `${name} ${argument}`).toMatch(/\w/)
      expect(schema.type, `${name} ${argument}`).toMatch(/\w/)
    }
    expect(JSON.stringify(properties), name).not.toMatch(/"(\$ref|pattern|anyOf|allowed|code)":/)
  }
})

test('what the reference says of addresses is not told to a model, which writes none', () => {
  for (const { name, properties } of TOOLS) {
    expect(JSON.stringify(properties), name).not.toMatch(/address|KB|header/)
  }
  expect(named('list_memories')?.properties['tags']?.description).toContain('separated by commas')
})

test('what a model gets wrong is said before: tags that are one text, types, ids that are no names', () => {
  const meaning = (tool: string, argument: string) => named(tool)?.properties[argument]?.description
  expect(meaning('list_memories', 'tags')).toMatch(/^One text, no list/)
  for (const tool of ['create_relation', 'list_relations']) {
    expect(meaning(tool, 'type')).toMatch(/letters, digits and underscores/)
    for (const end of ['sourceId', 'targetId']) {
      expect(meaning(tool, end)).toContain('list_entities')
    }
  }
  expect(named('delete_memory')?.description).toContain('then delete the old one')
})
