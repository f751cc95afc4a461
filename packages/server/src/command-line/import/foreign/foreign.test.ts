// What becomes of the files of other services, before anything is stored.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { NewRelation } from '../../../contract/relations.ts'
import { body } from '../../../http/validation/read-input.ts'
import { UsageFailure } from '../../failure.ts'
import { relationTypeOf } from './foreign-record.ts'
import { parseMcpMemory } from './mcp-memory.ts'
import { parseMem0 } from './mem0.ts'

afterEach(() => void vi.unstubAllEnvs())

const fixture = (name: string): string =>
  readFileSync(new URL(`./testing/${name}`, import.meta.url), 'utf8')

describe('mem0', () => {
  test('what get_all answers becomes memories with users, agents, tags, times and origin', () => {
    const { records, leftOut } = parseMem0(fixture('mem0-get-all.json'), 'somebody')
    const memories = records.filter(({ kind }) => kind === 'memory')
    expect(leftOut).toEqual([])
    expect(memories).toMatchObject([
      {
        createdAt: Date.UTC(2025, 2, 4, 16, 15, 22, 417),
        input: {
          content: 'Prefers window seats on morning flights',
          userId: 'maria',
          agentId: 'travel-assistant',
          tags: [],
          metadata: {
            source: 'chat',
            confidence: 0.92,
            importedFrom: { format: 'mem0', run_id: 'trip-2025-03' },
          },
        },
      },
      // A time without a zone is UTC.
      {
        createdAt: Date.UTC(2025, 2, 5, 18),
        input: { userId: 'maria', tags: ['health', 'food'] },
      },
      { input: { userId: 'somebody', agentId: 'support-bot' } },
    ])
  })

  test('its graph becomes entities and relations between them', () => {
    const { records } = parseMem0(fixture('mem0-get-all.json'), 'somebody')
    const entities = records.filter(({ kind }) => kind === 'entity')
    const relations = records.filter(({ kind }) => kind === 'relation')
    const names = entities.map(({ input }) => input['name'])
    expect(names).toEqual(['maria', 'peanuts', 'northern air'])
    expect(relations.map(({ input }) => input['type'])).toEqual(['allergic_to', 'flies_with'])
    expect(relations[1]?.input).toMatchObject({
      sourceId: entities[0]?.id,
      targetId: entities[2]?.id,
      metadata: { importedFrom: { relationship: 'flies with' } },
    })
  })

  test('a plain list is read like results, also behind a byte order mark', () => {
    const { records } = parseMem0('\ufeff[{"id":"1","memory":"text"}]', 'maria')
    expect(records).toMatchObject([{ input: { content: 'text', userId: 'maria' } }])
  })

  test('the end of a relation is its target or its destination', () => {
    const ends = [{ target: 'tea' }, { destination: 'tea' }]
    const relations = ends.map((end) => ({ source: 'maria', relationship: 'likes', ...end }))
    const { records } = parseMem0(JSON.stringify({ results: [], relations }), undefined)
    const [maria, tea, first, second] = records
    expect(first?.input).toMatchObject({ sourceId: maria?.id, targetId: tea?.id })
    expect(second).toMatchObject({ id: first?.id, input: first?.input })
  })

  test('a memory of nobody is left out with the option that says whose it is', () => {
    const text = '[{"memory":"hers","user_id":"maria"},{"memory":"whose"}]'
    const { records, leftOut } = parseMem0(text, undefined)
    expect(records).toMatchObject([{ input: { content: 'hers' } }])
    expect(leftOut).toEqual(['memory 2: it names no user. Say with --user-id whose it is.'])
  })

  test('what has no id is told from others by its user, whoever names it, and its text', () => {
    const idFor = (item: object, user?: string): string | undefined =>
      parseMem0(JSON.stringify([{ memory: 'Speaks English', ...item }]), user).records[0]?.id
    expect(idFor({}, 'maria')).not.toBe(idFor({}, 'jonas'))
    expect(idFor({}, 'maria')).toBe(idFor({ user_id: 'maria' }))
  })

  test('one page of several is refused: it would be taken for the whole', () => {
    const page = (fields: object) =>
      JSON.stringify({ ...fields, results: [{ memory: 'one', user_id: 'maria' }] })
    for (const fields of [{ count: 2500 }, { next: 'https://api.mem0.ai/v2/memories/?page=2' }]) {
      expect(() => parseMem0(page(fields), undefined)).toThrow('one page of several')
    }
    expect(parseMem0(page({ count: 1, next: null }), undefined).records).toHaveLength(1)
  })

  const timeOf = (created: unknown): number | undefined => {
    const { records } = parseMem0(JSON.stringify([{ memory: 'x', created_at: created }]), 'maria')
    return records[0]?.createdAt
  }

  test.each(['UTC', 'Asia/Kolkata'])(
    'a time is one of ISO 8601, as Python and PostgreSQL write it, the same on a machine in %s',
    (zone) => {
      vi.stubEnv('TZ', zone)
      const ten = Date.UTC(2026, 10, 21, 10)
      const times = [
        '2026-11-21T10:00:00.000000',
        '2026-11-21 10:00:00+00',
        '2026-11-21T15:30:00+05:30',
        ' 2026-11-21T10:00:00Z\n',
      ]
      expect(times.map(timeOf)).toEqual(times.map(() => ten))
      const none = ['2026/11/21', '11/21/2026', 'Nov 21 2026', '5', '']
      expect(none.map(timeOf)).toEqual(none.map(() => undefined))
    },
  )

  test('a number that is no time of a calendar is none', () => {
    expect(timeOf(1_735_689_600)).toBe(Date.UTC(2025, 0))
    expect(timeOf(1_735_689_600_000)).toBe(Date.UTC(2025, 0))
    expect(timeOf('2025-01-01')).toBe(Date.UTC(2025, 0))
    const none = [1_735_689_600_000_000, 1.7e18, 1e300, -1e300, '+275760-09-13', '-000001-01-01']
    expect(none.map(timeOf)).toEqual(none.map(() => undefined))
  })

  test('what is no time is kept as it is, and nothing of what is one', () => {
    const keptOf = (created: unknown): unknown => {
      const { records } = parseMem0(JSON.stringify([{ memory: 'x', created_at: created }]), 'maria')
      return records[0]?.input['metadata']
    }
    expect(keptOf('Nov 21 2026')).toEqual({
      importedFrom: { format: 'mem0', created_at: 'Nov 21 2026' },
    })
    expect(keptOf('2026-11-21')).toEqual({ importedFrom: { format: 'mem0' } })
  })

  test('what is no list of tags and what is no object of metadata is kept as it is', () => {
    const items = [
      { memory: 'other', categories: 'food', metadata: ['chat'] },
      { memory: 'none', categories: null, metadata: null },
    ]
    const { records } = parseMem0(JSON.stringify(items), 'u')
    expect(records.map(({ input }) => [input['tags'], input['metadata']])).toEqual([
      [[], { importedFrom: { format: 'mem0', categories: 'food', metadata: ['chat'] } }],
      [[], { importedFrom: { format: 'mem0' } }],
    ])
  })

  test('an OpenMemory export has its user and the names of its categories, without what was deleted', () => {
    const { records, leftOut } = parseMem0(fixture('openmemory.json'), 'somebody else')
    expect(records).toMatchObject([
      { input: { content: expect.stringContaining('Uses tabs'), userId: 'jonas', tags: ['work'] } },
    ])
    expect(leftOut).toEqual(['memory 2: it was deleted in OpenMemory.'])
  })

  test('a category that the file does not name is a tag by its id', () => {
    const categories = [{ id: 'c1', name: 'work' }]
    const memories = [{ content: 'Uses tabs', category_ids: ['c1', 'c2'] }]
    const { records } = parseMem0(JSON.stringify({ memories, categories }), 'jonas')
    expect(records).toMatchObject([{ input: { tags: ['work', 'c2'] } }])
  })

  test('whatever is no list of memories is refused', () => {
    for (const text of ['not json', '{}', '[1, 2]', '{"results":[{"full_name":"Anna"}]}', '"x"']) {
      expect(() => parseMem0(text, 'u'), text).toThrow(UsageFailure)
    }
  })
})

describe('the memory server of MCP', () => {
  test('its lines become entities, relations and memories', () => {
    const { records, leftOut } = parseMcpMemory(`\ufeff${fixture('memory.jsonl')}`, 'elena')
    expect(leftOut).toEqual([])
    const [elena, company, interest, worksAt, likes, ...memories] = records
    expect(elena).toMatchObject({ kind: 'entity', input: { name: 'Elena_Rossi', type: 'PERSON' } })
    expect(company).toMatchObject({ input: { type: 'ORGANIZATION' } })
    expect(interest).toMatchObject({
      input: { type: 'OTHER', metadata: { importedFrom: { entityType: 'research interest' } } },
    })
    const ends = { sourceId: elena?.id, targetId: company?.id }
    expect(worksAt).toMatchObject({ kind: 'relation', input: { ...ends, type: 'works_at' } })
    expect(likes).toMatchObject({ input: { type: 'is_interested_in' } })
    expect(memories.map(({ input }) => [input['content'], input['userId']])).toEqual([
      ['Elena_Rossi: Leads the data team', 'elena'],
      ['Elena_Rossi: Speaks Italian and German', 'elena'],
      ['Nordlicht GmbH: Builds weather sensors', 'elena'],
    ])
  })

  test('the same file makes the same ids, and another observation makes another one', () => {
    const ids = (text: string) => parseMcpMemory(text, 'u').records.map(({ id }) => id)
    const text = fixture('memory.jsonl')
    expect(ids(text)).toEqual(ids(text))
    expect(new Set(ids(text)).size).toBe(8)
    const changed = ids(text.replace('Italian', 'French'))
    expect(changed.filter((id) => !ids(text).includes(id))).toHaveLength(1)
    for (const id of ids(text)) expect(id).toMatch(/^(mem|ent|rel)_[0-9A-Za-z]{25}$/)
  })

  test('of several lines of a name the first is its entity, and all observations are kept', () => {
    const lines = [' Person ', 'city'].map((entityType, index) =>
      JSON.stringify({
        type: 'entity',
        name: 'Paris',
        entityType,
        observations: [`fact ${index}`],
      }),
    )
    expect(parseMcpMemory(lines.join('\n'), 'u').records).toMatchObject([
      { input: { name: 'Paris', type: 'PERSON' } },
      { input: { content: 'Paris: fact 0' } },
      { input: { content: 'Paris: fact 1' } },
    ])
  })

  test('names and texts that differ only in where one ends are of different records', () => {
    const lines = [
      ['Ann', 'alikes tea'],
      ['Anna', 'likes tea'],
    ].map(([name, text]) =>
      JSON.stringify({ type: 'entity', name, entityType: 'person', observations: [text] }),
    )
    const ids = parseMcpMemory(lines.join('\n'), 'u').records.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  test('what two users have in common is a memory of each: their entities have the same names', () => {
    const entity = { type: 'entity', name: 'default_user', entityType: 'person' }
    const line = JSON.stringify({ ...entity, observations: ['Speaks English'] })
    const [of, others] = ['maria', 'jonas'].map((user) => parseMcpMemory(line, user).records)
    expect(of?.[0]?.id).toBe(others?.[0]?.id)
    expect(of?.[1]?.id).not.toBe(others?.[1]?.id)
  })

  test.each(['constructor', '__proto__', 'toString'])(
    '%s is a type like any other',
    (entityType) => {
      const line = JSON.stringify({ type: 'entity', name: 'a', entityType, observations: [] })
      expect(parseMcpMemory(line, 'u').records).toMatchObject([{ input: { type: 'OTHER' } }])
    },
  )

  test('an observation that is no text or blank is left out alone: servers kept whatever they were given', () => {
    const observations = ['Likes tea', 5, { text: 'Likes wine' }, null, '', ' \n']
    const line = JSON.stringify({ type: 'entity', name: 'Anna', entityType: 'user', observations })
    const { records, leftOut } = parseMcpMemory(line, 'u')
    expect(records).toMatchObject([
      { kind: 'entity', input: { name: 'Anna' } },
      { kind: 'memory', where: 'line 1, observation 1', input: { content: 'Anna: Likes tea' } },
    ])
    const places = [2, 3, 4, 5, 6].map((place) => `line 1, observation ${place}: it is no text.`)
    expect(leftOut).toEqual(places)
  })

  test('a line that is nothing known, or a relation to nothing, is left out by its number', () => {
    const text =
      '{"type":"entity"}\nbroken\n\n{"type":"relation","from":"a","to":"b","relationType":"x"}\n'
    expect(parseMcpMemory(text, 'u')).toEqual({
      records: [],
      leftOut: [
        'line 1: it is neither an entity nor a relation.',
        'line 2: it is neither an entity nor a relation.',
        'line 4: an end of the relation is no entity of the file.',
      ],
    })
  })
})

test('any words for a relation become a type that the contract allows', () => {
  const read = body(NewRelation)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (words) => {
      const input = { sourceId: 'ent_1', targetId: 'ent_2', type: relationTypeOf(words) }
      expect(read({ body: input })).toEqual(input)
    }),
  )
  expect(relationTypeOf('KNOWS')).toBe('KNOWS')
  expect(relationTypeOf('zählt zu')).toBe('zahlt_zu')
  expect(relationTypeOf('喜欢')).toBe('RELATED_TO')
  expect(relationTypeOf('A'.repeat(65))).toBe('A'.repeat(64))
})
