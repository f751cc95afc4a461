// What each field and parameter is for, in the words of the reference. What is allowed in it is
// said by its schema. A test asserts that no field is left without a meaning.

const page = {
  page: 'Which page, from 1 on.',
  limit: 'How many items a page holds at most.',
}
const pagination = {
  items: 'The page, newest first. Empty when the page lies past the end.',
  pagination: 'Where this page lies among all.',
}
const assigned = {
  id: 'Assigned by the service. Opaque: do not read anything out of it.',
  createdAt: 'When it was stored.',
}
const updatedAt = { updatedAt: 'Equals createdAt: no operation changes a record.' }
// decisions/2026-11-21-metadata-round-trip.md
const sameJson =
  'but for this: keys that are whole numbers (0 to 4294967294, without leading zeros) come first, in ' +
  'ascending order; of a key given twice the last value remains; numbers are doubles, so that 1.0 ' +
  'comes back as 1 and -0 as 0.'
const metadata = `Anything you want to keep with it. The same JSON comes back, ${sameJson}`
const newMemory = {
  content: 'The text to remember. It is embedded whole and found by its meaning.',
  userId: 'The user whom the memory belongs to, by an identifier of your own.',
  agentId: 'The agent that made the memory, by an identifier of your own.',
  tags: 'Labels to filter by. The order is kept, duplicates are dropped.',
}
const memory = {
  ...assigned,
  content: 'The text, exactly as it was sent.',
  userId: 'The user whom the memory belongs to.',
  agentId: 'The agent that made the memory. Absent when it has none.',
  tags: 'The labels, in the order in which they were sent.',
}
const memoryFilters = {
  userId: 'Only memories of this user.',
  agentId: 'Only memories of this agent.',
}
const entity = {
  ...assigned,
  name: 'What the thing is called.',
  type: 'What kind of thing it is.',
  description: 'What else there is to say about it. Absent when it has none.',
}
const newRelation = {
  sourceId: 'The id of the entity that the relation starts from.',
  targetId: 'The id of the entity that the relation points to.',
  type:
    'What the source is to the target. Common types are WORKS_FOR, KNOWS, LOCATED_IN, PART_OF, ' +
    'CREATED and RELATED_TO; types of your own are welcome, of letters, digits and underscores, ' +
    'beginning with a letter.',
}
const relation = { ...assigned, ...newRelation, type: 'What the source is to the target.' }
const ends = {
  source: 'The entity that the relation starts from.',
  target: 'The entity that the relation points to.',
}
const keptMetadata = {
  metadata: `Absent when none was sent. Otherwise the same JSON, ${sameJson}`,
}

export const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NewMemory: { ...newMemory, metadata },
  MemorySearch: {
    query: 'What you want to know, in natural language.',
    ...memoryFilters,
    tags: 'Only memories that have all of these tags. An empty list is no filter.',
    limit: 'How many results at most.',
    threshold: 'The smallest score of a result. 0 returns the best ones, whatever their score.',
  },
  NewEntity: {
    name: 'What the thing is called.',
    type: 'What kind of thing it is.',
    description: 'What else there is to say about it.',
    metadata,
  },
  NewRelation: { ...newRelation, metadata },
  Pagination: {
    page: 'The page that was asked for.',
    limit: 'How many items a page holds at most.',
    total: 'How many items match in all.',
    totalPages: 'How many pages they fill; 0 when nothing matches.',
  },
  Deleted: { success: 'Always true: a failure is an error.', id: 'The id of what was deleted.' },
  Memory: { ...memory, ...keptMetadata, ...updatedAt },
  MemoryListItem: { ...memory, ...updatedAt },
  MemoryList: pagination,
  SearchResult: { ...memory, score: 'How well the memory fits the query: higher is better.' },
  SearchResults: { results: 'The best memories, highest score first, then the newest.' },
  Entity: { ...entity, ...keptMetadata, ...updatedAt },
  EntityListItem: { ...entity, ...updatedAt },
  EntityList: pagination,
  RelationEnd: { id: 'The id of the entity.', name: entity.name, type: entity.type },
  CreatedRelation: { ...relation, ...keptMetadata },
  Relation: { ...relation, ...ends, ...keptMetadata },
  RelationListItem: { ...relation, ...ends },
  RelationList: pagination,
  'memories.list': {
    ...memoryFilters,
    tags:
      'Only memories that have all of these tags. White space round a tag and empty tags are ' +
      'dropped: a tag that holds a comma, or begins or ends with white space, can be asked for in a ' +
      'search only. So can many long ones: an address takes some 16 KB.',
    ...page,
  },
  'entities.list': {
    type: 'Only entities of this type.',
    search:
      'Only entities whose name contains this text, regardless of case and accents. Empty ' +
      'matches every name.',
    ...page,
  },
  'relations.list': {
    sourceId: 'Only relations that start from this entity.',
    targetId: 'Only relations that point to this entity.',
    type: 'Only relations of this type.',
    ...page,
  },
}
