// Requests about keys. All queries about one key, those of its memories and graph too, have a query key that
// begins with ['key', id], so that whatever changes the key can refetch all of them.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from './client.ts'
import type { CreateKey } from './contract.ts'
import { keepNewKey } from './new-keys.ts'

/** Polls only after a first answer: without one the page shows an error that stays until "Try again". */
const onceAnswered =
  (intervalMs: number) =>
  ({ state }: { state: { data: unknown } }) =>
    state.data === undefined ? false : intervalMs

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => get('/keys', {}, {}, signal),
  // Whoever tries a key in another window comes back, however soon, to see that it was used.
  refetchOnWindowFocus: 'always',
})
export const keyQuery = (key: string) =>
  queryOptions({
    queryKey: ['key', key],
    queryFn: ({ signal }) => get('/keys/:key', { key }, {}, signal),
  })
export const firstRequestQuery = (key: string) =>
  queryOptions({
    queryKey: ['key', key, 'first-request'],
    queryFn: ({ signal }) => get('/keys/:key/first-request', { key }, {}, signal),
    refetchInterval: onceAnswered(1_500),
  })
export const usageQuery = (key: string, month?: string) =>
  queryOptions({
    queryKey: ['key', key, 'usage', month],
    queryFn: ({ signal }) => get('/keys/:key/usage', { key }, { month }, signal),
    refetchInterval: onceAnswered(15_000),
  })

export const revokeKey = (key: string) => post('/keys/:key/revoke', { key })
export const createKey = (body: CreateKey) => keepNewKey(post('/keys', {}, body))
export const rotateKey = (key: string) => keepNewKey(post('/keys/:key/rotate', { key }), key)

/** Asks until nothing is left; `onProgress` is told how many records remain. */
export async function purgeKey(key: string, name: string, onProgress: (remaining: number) => void) {
  for (;;) {
    const { isDone, remaining } = await post('/keys/:key/purge', { key }, { name })
    if (isDone) return
    onProgress(remaining.memories + remaining.entities + remaining.relations)
  }
}
