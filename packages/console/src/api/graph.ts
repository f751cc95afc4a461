// What the console asks about the graph of a key and changes in it. Every query is named ['key', id,
// 'graph', …], and so are the mentions: after a change refresh.ts has all of them asked for again.
import { queryOptions } from '@tanstack/react-query'
import { get, path, post, postDelete } from './client.ts'
import type {
  CreatedRelation,
  Entity,
  Graph,
  List,
  Mentions,
  Named,
  NewEntity,
  NewRelation,
  Path,
  RelationListItem,
  WholeGraph,
} from './contract.ts'

export const wholeGraphQuery = (key: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'whole'],
    queryFn: ({ signal }) => get<WholeGraph>(path`/keys/${key}/graph`, {}, signal),
    staleTime: 60_000,
  })
export const neighbourhoodQuery = (key: string, entity: string, depth: number) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'neighbourhood', entity, depth],
    queryFn: ({ signal }) =>
      get<Graph>(
        path`/keys/${key}/entities/${entity}/neighbourhood`,
        { depth, limit: 1_000 },
        signal,
      ),
    staleTime: 60_000,
  })
export const pathQuery = (key: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'path', from, to],
    queryFn: ({ signal }) => get<Path>(path`/keys/${key}/path`, { from, to }, signal),
  })
export const entitySearchQuery = (key: string, search: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'search', search],
    queryFn: ({ signal }) => get<Named>(path`/keys/${key}/named`, { search }, signal),
  })
export const entityQuery = (key: string, entity: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'entity', entity],
    queryFn: ({ signal }) => get<Entity>(path`/keys/${key}/entities/${entity}`, {}, signal),
  })
export const relationsQuery = (key: string, end: 'sourceId' | 'targetId', entity: string) =>
  queryOptions({
    queryKey: ['key', key, 'graph', 'relations', end, entity],
    queryFn: ({ signal }) =>
      get<List<RelationListItem>>(
        path`/keys/${key}/relations`,
        { [end]: entity, limit: 50 },
        signal,
      ),
  })
export const fetchMentions = (key: string, entity: string, after?: string) =>
  get<Mentions>(path`/keys/${key}/entities/${entity}/memories`, { after, limit: 5 })

export const createEntity = (key: string, body: NewEntity) =>
  post<Entity>(path`/keys/${key}/entities`, body)
export const deleteEntity = (key: string, entity: string) =>
  postDelete(path`/keys/${key}/entities/${entity}/delete`, 'ENTITY_NOT_FOUND')
export const createRelation = (key: string, body: NewRelation) =>
  post<CreatedRelation>(path`/keys/${key}/relations`, body)
export const deleteRelation = (key: string, relation: string) =>
  postDelete(path`/keys/${key}/relations/${relation}/delete`, 'RELATION_NOT_FOUND')
