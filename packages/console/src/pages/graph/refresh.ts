import { refetch } from '../../api/query-client.ts'

/** Everything that is known of the graph of a key is asked for again. */
export const refreshGraph = (keyId: string) => refetch({ queryKey: ['key', keyId, 'graph'] })
