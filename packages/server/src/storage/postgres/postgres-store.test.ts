import { expect, inject, test } from 'vitest'
import { newDatabase } from '../../testing/postgres.ts'
import { describeStore } from '../conformance/describe-store.ts'
import { openPostgresStore } from './open-store.ts'
import { openPostgresReembedding } from './reembedding/open-reembedding.ts'
import { settingsLeft } from './testing/settings-left.ts'

const server = inject('postgresUrl')

if (server !== undefined) {
  describeStore('the shared store', async () => {
    const { url } = await newDatabase(server)
    const onBackgroundError = (error: unknown): never => {
      throw error
    }
    const options = { url, durability: 'required', connectionsMax: 10, onBackgroundError } as const
    const store = await openPostgresStore(options)
    const close = async () => {
      expect(
        await settingsLeft(store, url, options.connectionsMax),
        'what transactions left set',
      ).toEqual([])
      await store.close()
    }
    return {
      store: { ...store, close },
      openReembedding: () => openPostgresReembedding(options),
    }
  })
} else {
  test.skip('without a PostgreSQL nothing can be said of it', () => undefined)
}
