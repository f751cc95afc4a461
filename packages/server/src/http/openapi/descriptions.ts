// What each operation does, in a few sentences for its caller.
import type { OperationId } from '../../contract/operations.ts'

const FOREVER = 'Permanent: there is no way back.'
const REPEATABLE =
  'With an Idempotency-Key it can be repeated safely: the stored answer comes back for 24 hours.'
const NEWEST_FIRST =
  'Newest first, one page at a time; what is created or deleted between two pages moves what lies ' +
  'behind it. The items have no metadata.'

export const TAGS = {
  memories: {
    name: 'Memories',
    description: 'Texts that are found by their meaning.',
  },
  entities: {
    name: 'Entities',
    description: 'Named things: people, organizations, places and so on.',
  },
  relations: {
    name: 'Relations',
    description: 'Typed, directed links between two entities. Together they form a graph.',
  },
} as const

export const DESCRIPTIONS: Readonly<Record<OperationId, string>> = {
  'memories.create':
    `Stores a text and embeds it. A search finds it as soon as this has answered. ${REPEATABLE} ` +
    'For many at once there is `POST /import/memories`: docs/importing.md in the repository.',
  'memories.search':
    'Finds the memories that fit the query by meaning and by words. Filters apply before the ' +
    'ranking, not to its first results. Scores lie between 0 and 1.',
  'memories.list': NEWEST_FIRST,
  'memories.get': 'Fetches one memory with its metadata.',
  'memories.delete':
    `Deletes one memory, its text and its vector. ${FOREVER} ` +
    'All memories of a user go with `POST /forget/memories`: docs/deleting.md in the repository.',
  'entities.create': `Stores a named thing. ${REPEATABLE}`,
  'entities.list': NEWEST_FIRST,
  'entities.get': 'Fetches one entity with its metadata.',
  'entities.delete': `Deletes one entity and all relations from and to it. ${FOREVER}`,
  'relations.create': `Joins two entities of yours, which may be one and the same. ${REPEATABLE}`,
  'relations.list': `${NEWEST_FIRST} Each item tells id, name and type of its two entities.`,
  'relations.get': 'Fetches one relation with its two entities and its metadata.',
  'relations.delete': `Deletes one relation. Its entities stay. ${FOREVER}`,
}
