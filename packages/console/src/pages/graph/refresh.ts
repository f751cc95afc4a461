import { queryClient, refetch } from '../../api/query-client.ts'

/** Refetches everything that is known of the graph of a key. */
export const refreshGraph = (keyId: string) => refetch({ queryKey: ['key', keyId, 'graph'] })

/** The same after an entity was deleted, but forgets what is about that entity, which the page is leaving. */
export async function refreshGraphWithout(keyId: string, entity: string): Promise<void> {
  const queryKey = ['key', keyId, 'graph']
  const isAbout = (query: { queryKey: readonly unknown[] }) => query.queryKey.includes(entity)
  await refetch({ queryKey, predicate: (query) => !isAbout(query) })
  queryClient.removeQueries({ queryKey, predicate: isAbout })
}
