// A shared store as tests open it.
import type { Store } from '../../store.ts'
import { openPostgresStore, type PostgresOptions } from '../open-store.ts'

/** What fails behind its requests fails the run. */
export const openStoreAt = (
  url: string,
  connectionsMax: number,
  timeouts: Pick<PostgresOptions, 'timeouts'> = {},
): Promise<Store> =>
  openPostgresStore({
    url,
    durability: 'required',
    connectionsMax,
    onBackgroundError: (error) => {
      throw error
    },
    ...timeouts,
  })
