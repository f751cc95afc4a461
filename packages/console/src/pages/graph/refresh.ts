import { queryClient, refetch } from '../../api/query-client.ts'

/** Everything that is known of the graph of a key is asked for again. */
export const refreshGraph = (keyId: string) => refetch({ queryKey: ['key', keyId, 'graph'] })

/** The same after an entity was deleted, but for what is about it alone: the page is just leaving that. */
export async function refreshGraphWithout(keyId: string, entity: string): Promise<void> {
  const queryKey = ['key', keyId, 'graph']
  const isAbout = (query: { queryKey: readonly unknown[] }) => query.queryKey.includes(entity)
  await refetch({ queryKey, predicate: (query) => !isAbout(query) })
  queryClient.removeQueries({ queryKey, predicate: isAbout })
}
