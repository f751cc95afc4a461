// The examples of the document. They tell one story, and they are real: a test sends every request
// in this order to a service with the real model and compares the answers with these.
import type { OperationId } from '../../contract/operations.ts'
import type { Json } from './types.ts'

export type Exchange = {
  /** Its name among the examples of the operation. */
  name: string
  summary: string
  id?: string
  query?: Readonly<Record<string, string | number>>
  body?: Json
  answer: Json
}

const MEMORY_ID = 'mem_0qHXJ5sVwYcR8tLzN3uKdPa72'
const MAYA_ID = 'ent_0qHXK2mTfBv6QwE9yRjLsZc48'
const NORTHWIND_ID = 'ent_0qHXK7pGhNd3UxA5kMoWiFb16'
const RELATION_ID = 'rel_0qHXL9rDtCe1SyJ4vQnHgXz53'

const at = (createdAt: string) => ({ createdAt, updatedAt: createdAt })
const onePage = (limit: number) => ({ page: 1, limit, total: 1, totalPages: 1 })

const newMemory = {
  content: 'Maya prefers an aisle seat and never takes flights before 9 in the morning.',
  userId: 'user_maya',
  agentId: 'travel-assistant',
  tags: ['travel', 'preference'],
}
const memoryMetadata = { metadata: { source: 'chat', turn: 14 } }
const memory = { id: MEMORY_ID, ...newMemory }
const memoryTimes = at('2026-11-21T09:30:12.418Z')

const newMaya = {
  name: 'Maya Okafor',
  type: 'PERSON',
  description: 'Travels for work, lives in Lisbon.',
}
const mayaMetadata = { metadata: { crmId: 'C-1042' } }
const mayaTimes = at('2026-11-21T09:31:05.007Z')
const maya = { id: MAYA_ID, ...newMaya }

const newNorthwind = { name: 'Northwind Labs', type: 'ORGANIZATION' }
const newRelation = { sourceId: MAYA_ID, targetId: NORTHWIND_ID, type: 'WORKS_FOR' }
const relationMetadata = { metadata: { since: 2023 } }
const relation = { id: RELATION_ID, ...newRelation }
const ends = {
  source: { id: MAYA_ID, name: newMaya.name, type: newMaya.type },
  target: { id: NORTHWIND_ID, ...newNorthwind },
}
const relationTime = { createdAt: '2026-11-21T09:32:40.951Z' }

const deleted = (id: string) => ({ success: true, id })

export const EXCHANGES: Readonly<Record<OperationId, readonly [Exchange, ...Exchange[]]>> = {
  'memories.create': [
    {
      name: 'preference',
      summary: 'Something that was said in a chat',
      body: { ...newMemory, ...memoryMetadata },
      answer: { ...memory, ...memoryMetadata, ...memoryTimes },
    },
  ],
  'memories.search': [
    {
      name: 'question',
      summary: 'A question about one user',
      body: { query: 'Which seat should I book for Maya?', userId: 'user_maya', limit: 5 },
      answer: {
        results: [
          {
            id: MEMORY_ID,
            content: newMemory.content,
            score: 0.9575,
            userId: newMemory.userId,
            agentId: newMemory.agentId,
            tags: newMemory.tags,
            createdAt: memoryTimes.createdAt,
          },
        ],
      },
    },
  ],
  'memories.list': [
    {
      name: 'tagged',
      summary: 'The memories of one user that have two tags',
      query: { userId: 'user_maya', tags: 'travel,preference', limit: 10 },
      answer: { items: [{ ...memory, ...memoryTimes }], pagination: onePage(10) },
    },
  ],
  'memories.get': [
    {
      name: 'memory',
      summary: 'One memory',
      id: MEMORY_ID,
      answer: { ...memory, ...memoryMetadata, ...memoryTimes },
    },
  ],
  'memories.delete': [
    { name: 'memory', summary: 'One memory', id: MEMORY_ID, answer: deleted(MEMORY_ID) },
  ],
  'entities.create': [
    {
      name: 'person',
      summary: 'A person',
      body: { ...newMaya, ...mayaMetadata },
      answer: { ...maya, ...mayaMetadata, ...mayaTimes },
    },
    {
      name: 'organization',
      summary: 'An organization, with the required fields alone',
      body: newNorthwind,
      answer: { id: NORTHWIND_ID, ...newNorthwind, ...at('2026-11-21T09:31:48.266Z') },
    },
  ],
  'entities.list': [
    {
      name: 'people',
      summary: 'People by name',
      query: { type: 'PERSON', search: 'okafor' },
      answer: { items: [{ ...maya, ...mayaTimes }], pagination: onePage(20) },
    },
  ],
  'entities.get': [
    {
      name: 'person',
      summary: 'A person',
      id: MAYA_ID,
      answer: { ...maya, ...mayaMetadata, ...mayaTimes },
    },
  ],
  'entities.delete': [
    { name: 'person', summary: 'A person', id: MAYA_ID, answer: deleted(MAYA_ID) },
  ],
  'relations.create': [
    {
      name: 'employment',
      summary: 'A person works for an organization',
      body: { ...newRelation, ...relationMetadata },
      answer: { ...relation, ...relationMetadata, ...relationTime },
    },
  ],
  'relations.list': [
    {
      name: 'employers',
      summary: 'Whom a person works for',
      query: { sourceId: MAYA_ID, type: 'WORKS_FOR' },
      answer: { items: [{ ...relation, ...ends, ...relationTime }], pagination: onePage(20) },
    },
  ],
  'relations.get': [
    {
      name: 'employment',
      summary: 'A person works for an organization',
      id: RELATION_ID,
      answer: { ...relation, ...ends, ...relationMetadata, ...relationTime },
    },
  ],
  'relations.delete': [
    {
      name: 'employment',
      summary: 'A person works for an organization',
      id: RELATION_ID,
      answer: deleted(RELATION_ID),
    },
  ],
}
