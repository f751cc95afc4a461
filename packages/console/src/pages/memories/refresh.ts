import { refetch } from '../../api/query-client.ts'

/** Refetches where memories of a key are shown: in lists, and beside an entity that they mention. */
export const refreshMemories = (keyId: string) =>
  Promise.all([
    refetch({ queryKey: ['key', keyId, 'memories'] }),
    refetch({ queryKey: ['key', keyId, 'graph', 'mentions'] }),
  ])
