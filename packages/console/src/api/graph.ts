// Requests about the graph of a key. The query keys all begin with ['key', id, 'graph'], that of the
// mentions too, so that refresh.ts can refetch all of them after a change.
import { queryOptions } from '@tanstack/react-query'
import { get, post, postDelete } from './client.ts'
import type { NewEntity, NewRelation } from './contract.ts'

export const wholeGraphQuery = (key: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'whole'],
    queryFn: ({ signal }) => get('/keys/:key/graph', { key }, {}, signal),
    staleTime: 60_000,
  })
export const neighbourhoodQuery = (key: string, entity: string, depth: number) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'neighbourhood', entity, depth],
    queryFn: ({ signal }) =>
      get(
        '/keys/:key/entities/:id/neighbourhood',
        { key, id: entity },
        { depth, limit: 1_000 },
        signal,
      ),
    staleTime: 60_000,
  })
export const pathQuery = (key: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'path', from, to],
    queryFn: ({ signal }) => get('/keys/:key/path', { key }, { from, to }, signal),
  })
export const entitySearchQuery = (key: string, search: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'search', search],
    queryFn: ({ signal }) => get('/keys/:key/named', { key }, { search }, signal),
  })
export const entityQuery = (key: string, entity: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'entity', entity],
    queryFn: ({ signal }) => get('/keys/:key/entities/:id', { key, id: entity }, {}, signal),
  })
export const relationsQuery = (key: string, end: 'sourceId' | 'targetId', entity: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'relations', end, entity],
    queryFn: ({ signal }) =>
      get('/keys/:key/relations', { key }, { [end]: entity, limit: 50 }, signal),
  })
/** How many relations lead from the entity to itself: these are in both of its lists. */
export const ownRelationsQuery = (key: string, entity: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'own-relations', entity],
    queryFn: async ({ signal }) => {
      const ends = { sourceId: entity, targetId: entity, limit: 1 }
      return (await get('/keys/:key/relations', { key }, ends, signal)).pagination.total
    },
  })
export const fetchMentions = (
  key: string,
  entity: string,
  after: string | undefined,
  signal: AbortSignal,
) => get('/keys/:key/entities/:id/memories', { key, id: entity }, { after, limit: 5 }, signal)

export const createEntity = (key: string, body: NewEntity, idempotencyKey: string) =>
  post('/keys/:key/entities', { key }, body, { idempotencyKey })
export const deleteEntity = (key: string, entity: string) =>
  postDelete('/keys/:key/entities/:id/delete', { key, id: entity }, 'ENTITY_NOT_FOUND')
export const createRelation = (key: string, body: NewRelation, idempotencyKey: string) =>
  post('/keys/:key/relations', { key }, body, { idempotencyKey })
export const deleteRelation = (key: string, relation: string) =>
  postDelete('/keys/:key/relations/:id/delete', { key, id: relation }, 'RELATION_NOT_FOUND')
