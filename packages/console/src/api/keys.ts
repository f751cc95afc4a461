// What the console asks about keys and does with them. All that is known of one key is named ['key',
// id, …], its memories and graph too: what changes the key can have all of it asked for again.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from './client.ts'
import type { CreateKey } from './contract.ts'
import { keepNewKey } from './new-keys.ts'

/** Without a first answer there is an error with a button, which stays until it is pressed. */
const onceAnswered =
  (intervalMs: number) =>
  ({ state }: { state: { data: unknown } }) =>
    state.data === undefined ? false : intervalMs

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => get('/keys', {}, {}, signal),
  // Whoever tries a key in another window comes back to see it used, however soon.
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

/** Asks until nothing is left; `onProgress` hears how many records remain. */
export async function purgeKey(key: string, name: string, onProgress: (remaining: number) => void) {
  for (;;) {
    const { isDone, remaining } = await post('/keys/:key/purge', { key }, { name })
    if (isDone) return
    onProgress(remaining.memories + remaining.entities + remaining.relations)
  }
}
