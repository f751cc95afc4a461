import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, post, postDelete } from './client.ts'
import type { NewMemory, PlaygroundSearch } from './contract.ts'

export type MemoryFilter = {
  userId?: string | undefined
  agentId?: string | undefined
  tags?: string | undefined
  page?: number | undefined
}

export const memoriesQuery = (key: string, filter: MemoryFilter) =>
  queryOptions({
    queryKey: ['key', key, 'memories', filter],
    queryFn: ({ signal }) => get('/keys/:key/memories', { key }, filter, signal),
    placeholderData: keepPreviousData,
  })
export const memoryQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ['key', key, 'memory', id],
    queryFn: ({ signal }) => get('/keys/:key/memories/:id', { key, id }, {}, signal),
  })

export const createMemory = (key: string, body: NewMemory, idempotencyKey: string) =>
  post('/keys/:key/memories', { key }, body, { idempotencyKey })
export const deleteMemory = (key: string, id: string) =>
  postDelete('/keys/:key/memories/:id/delete', { key, id }, 'MEMORY_NOT_FOUND')

/** Asks until no memory remains, telling `onProgress` how many do; returns how many were deleted. */
export async function forgetUser(
  key: string,
  userId: string,
  onProgress: (remaining: number) => void,
): Promise<number> {
  for (let deletedBefore = 0; ; ) {
    const { deleted, remaining } = await post('/keys/:key/memories/forget', { key }, { userId })
    if (remaining === 0) return deletedBefore + deleted
    deletedBefore += deleted
    onProgress(remaining)
  }
}

export const searchMemories = (key: string, body: PlaygroundSearch, signal: AbortSignal) =>
  post('/keys/:key/memories/search', { key }, body, { signal })
