// Data for looking at the console: a small company's memory. Written through the public API alone.
import type { Call } from '../../server/src/testing/api-client.ts'

const MEMORIES: readonly (readonly [string, string, string, ...string[]])[] = [
  ['anna', 'chat', 'Anna prefers dark roast coffee in the morning.', 'preference'],
  [
    'anna',
    'chat',
    'Anna is allergic to hazelnuts; order cakes without them.',
    'preference',
    'health',
  ],
  ['anna', 'calendar', 'The meeting with the Lisbon team moved to Thursday at ten.', 'meeting'],
  [
    'anna',
    'calendar',
    'Anna Lindqvist flies to Lisbon on 3 December and returns on the 6th.',
    'travel',
  ],
  [
    'ben',
    'chat',
    'Ben takes his espresso without sugar, and never after three in the afternoon.',
    'preference',
  ],
  [
    'ben',
    'support',
    'Ticket 48213: the export to CSV drops the last column when a name holds a comma.',
    'bug',
  ],
  [
    'ben',
    'support',
    'Ticket 48377 was closed: the time zone of the report follows the account now.',
    'bug',
  ],
  ['carla', 'chat', 'Carla leads the research group and reports to Anna Lindqvist.', 'people'],
  [
    'carla',
    'notes',
    'The evaluation of the new retrieval model starts after the freeze on 12 December.',
    'plan',
  ],
  [
    'carla',
    'notes',
    'Northwind signed the pilot for the warehouse in Rotterdam, twelve months.',
    'customer',
  ],
  [
    'dev',
    'notes',
    'The build server runs out of disk every few weeks; old images are removed by hand.',
    'operations',
  ],
  [
    'dev',
    'notes',
    'Error E-7731 means that the scanner lost its calibration. Restart it twice.',
    'operations',
  ],
  ['dev', 'chat', 'We agreed to keep the API stable and to put new things beside it.', 'decision'],
  [
    'emil',
    'sales',
    'Northwind asks for a report of every pallet that waited longer than two days.',
    'customer',
  ],
  ['emil', 'sales', 'Contoso would renew for three years if the price stays the same.', 'customer'],
  [
    'emil',
    'calendar',
    'Dinner with Contoso on Friday at the harbour; Emil books a table for six.',
    'meeting',
  ],
  ['farah', 'chat', 'Farah works from Lisbon and likes short meetings before noon.', 'preference'],
  [
    'farah',
    'notes',
    'The Lisbon office moves to a new floor in March; the lease was signed.',
    'plan',
  ],
]

type Type = 'PERSON' | 'ORGANIZATION' | 'LOCATION' | 'PRODUCT' | 'EVENT' | 'CONCEPT' | 'OTHER'
const ENTITIES: readonly (readonly [string, Type])[] = [
  ['Anna Lindqvist', 'PERSON'],
  ['Ben Okafor', 'PERSON'],
  ['Carla Rossi', 'PERSON'],
  ['Emil Novak', 'PERSON'],
  ['Farah Haddad', 'PERSON'],
  ['Research group', 'ORGANIZATION'],
  ['Northwind', 'ORGANIZATION'],
  ['Contoso', 'ORGANIZATION'],
  ['Lisbon', 'LOCATION'],
  ['Rotterdam', 'LOCATION'],
  ['Harbour', 'LOCATION'],
  ['Pallet scanner', 'PRODUCT'],
  ['Warehouse report', 'PRODUCT'],
  ['Pilot in Rotterdam', 'EVENT'],
  ['Code freeze', 'EVENT'],
  ['Retrieval', 'CONCEPT'],
  ['API stability', 'CONCEPT'],
  ['Error E-7731', 'OTHER'],
]
const RELATIONS: readonly (readonly [string, string, string])[] = [
  ['Carla Rossi', 'REPORTS_TO', 'Anna Lindqvist'],
  ['Carla Rossi', 'LEADS', 'Research group'],
  ['Ben Okafor', 'PART_OF', 'Research group'],
  ['Anna Lindqvist', 'KNOWS', 'Farah Haddad'],
  ['Farah Haddad', 'LOCATED_IN', 'Lisbon'],
  ['Emil Novak', 'WORKS_WITH', 'Northwind'],
  ['Emil Novak', 'WORKS_WITH', 'Contoso'],
  ['Northwind', 'LOCATED_IN', 'Rotterdam'],
  ['Pilot in Rotterdam', 'LOCATED_IN', 'Rotterdam'],
  ['Northwind', 'TAKES_PART_IN', 'Pilot in Rotterdam'],
  ['Pilot in Rotterdam', 'USES', 'Pallet scanner'],
  ['Northwind', 'ASKED_FOR', 'Warehouse report'],
  ['Pallet scanner', 'FEEDS', 'Warehouse report'],
  ['Error E-7731', 'ABOUT', 'Pallet scanner'],
  ['Research group', 'WORKS_ON', 'Retrieval'],
  ['Ben Okafor', 'WORKS_ON', 'Retrieval'],
  ['Anna Lindqvist', 'DECIDED', 'API stability'],
  ['Code freeze', 'AFFECTS', 'Retrieval'],
  ['Harbour', 'PART_OF', 'Rotterdam'],
  ['Contoso', 'LOCATED_IN', 'Harbour'],
  ['Anna Lindqvist', 'TRAVELS_TO', 'Lisbon'],
  ['Farah Haddad', 'KNOWS', 'Anna Lindqvist'],
]

export async function remember(call: Call): Promise<void> {
  for (const [userId, agentId, content, ...tags] of MEMORIES) {
    await call('POST', '/v1/memories', {
      json: { content, userId, agentId, tags, metadata: { source: agentId } },
    })
  }
}

export async function drawGraph(call: Call): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [name, type] of ENTITIES) {
    const description = type === 'PERSON' ? `${name} belongs to the team.` : undefined
    const { id } = await call('POST', '/v1/entities', { json: { name, type, description } })
    ids.set(name, id)
  }
  for (const [source, type, target] of RELATIONS) {
    const json = { sourceId: ids.get(source), targetId: ids.get(target), type }
    await call('POST', '/v1/relations', { json })
  }
  return ids
}

/** An ordinary day: mostly reads and searches, now and then an error. */
export async function work(call: Call, amount: number): Promise<void> {
  for (let turn = 0; turn < amount; turn++) {
    await call('GET', '/v1/memories?limit=5')
    if (turn % 2 === 0) {
      await call('POST', '/v1/memories/search', { json: { query: 'coffee', userId: 'anna' } })
    }
    if (turn % 3 === 0) {
      const json = { content: `Note ${turn} of the day.`, userId: 'dev', tags: ['log'] }
      const { id } = await call('POST', '/v1/memories', { json })
      if (turn % 2 === 0) await call('DELETE', `/v1/memories/${id}`)
    }
    if (turn % 7 === 0) await call('GET', '/v1/memories/mem_missing')
  }
}
