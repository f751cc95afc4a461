import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, path, post, postDelete } from './client.ts'
import type {
  List,
  Memory,
  MemoryListItem,
  NewMemory,
  Playground,
  PlaygroundSearch,
} from './contract.ts'

export type MemoryFilter = {
  userId?: string | undefined
  agentId?: string | undefined
  tags?: string | undefined
  page?: number | undefined
}

export const memoriesQuery = (key: string, filter: MemoryFilter) =>
  queryOptions({
    queryKey: ['key', key, 'memories', filter],
    queryFn: ({ signal }) => get<List<MemoryListItem>>(path`/keys/${key}/memories`, filter, signal),
    placeholderData: keepPreviousData,
  })
export const memoryQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ['key', key, 'memory', id],
    queryFn: ({ signal }) => get<Memory>(path`/keys/${key}/memories/${id}`, {}, signal),
  })

export const createMemory = (key: string, body: NewMemory) =>
  post<Memory>(path`/keys/${key}/memories`, body)
export const deleteMemory = (key: string, id: string) =>
  postDelete(path`/keys/${key}/memories/${id}/delete`, 'MEMORY_NOT_FOUND')
export const searchMemories = (key: string, body: PlaygroundSearch, signal?: AbortSignal) =>
  post<Playground>(path`/keys/${key}/memories/search`, body, signal)
