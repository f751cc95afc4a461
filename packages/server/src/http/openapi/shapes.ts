// What goes into each operation and what comes out of it: the schemas of the contract by the names
// that they have in the document.
import type { TObject, TSchema } from 'typebox'
import {
  Entity,
  EntityList,
  EntityListItem,
  EntityListQuery,
  NewEntity,
} from '../../contract/entities.ts'
import {
  Memory,
  MemoryList,
  MemoryListItem,
  MemoryListQuery,
  MemorySearch,
  NewMemory,
  SearchResult,
  SearchResults,
} from '../../contract/memories.ts'
import type { OperationId } from '../../contract/operations.ts'
import { Deleted, Pagination } from '../../contract/page.ts'
import {
  CreatedRelation,
  NewRelation,
  Relation,
  RelationEnd,
  RelationList,
  RelationListItem,
  RelationListQuery,
} from '../../contract/relations.ts'

export const REQUEST_BODIES = { NewMemory, MemorySearch, NewEntity, NewRelation }

/** Parts before the wholes that hold them, so that a whole can refer to its parts. */
export const ANSWERS = {
  Pagination,
  Deleted,
  Memory,
  MemoryListItem,
  MemoryList,
  SearchResult,
  SearchResults,
  Entity,
  EntityListItem,
  EntityList,
  RelationEnd,
  CreatedRelation,
  Relation,
  RelationListItem,
  RelationList,
} satisfies Record<string, TSchema>

type Shape = {
  body?: keyof typeof REQUEST_BODIES
  query?: TObject
  answer: keyof typeof ANSWERS
}

export const SHAPES: Readonly<Record<OperationId, Shape>> = {
  'memories.create': { body: 'NewMemory', answer: 'Memory' },
  'memories.search': { body: 'MemorySearch', answer: 'SearchResults' },
  'memories.list': { query: MemoryListQuery, answer: 'MemoryList' },
  'memories.get': { answer: 'Memory' },
  'memories.delete': { answer: 'Deleted' },
  'entities.create': { body: 'NewEntity', answer: 'Entity' },
  'entities.list': { query: EntityListQuery, answer: 'EntityList' },
  'entities.get': { answer: 'Entity' },
  'entities.delete': { answer: 'Deleted' },
  'relations.create': { body: 'NewRelation', answer: 'CreatedRelation' },
  'relations.list': { query: RelationListQuery, answer: 'RelationList' },
  'relations.get': { answer: 'Relation' },
  'relations.delete': { answer: 'Deleted' },
}
