import { expect, test } from 'vitest'
import type { KeyStore } from '../storage/store.ts'
import { createApiKey } from './api-key.ts'
import { findCaller } from './keys.ts'

test('what cannot be a key is refused without asking the store', async () => {
  let asked = 0
  const keys: Pick<KeyStore, 'findByHash'> = {
    findByHash: async () => {
      asked += 1
      return undefined
    },
  }
  const invalid = { code: 'INVALID_API_KEY' }
  const key = createApiKey()
  for (const junk of ['', 'mng_', key.slice(1), `${key}0`, key.toUpperCase()]) {
    await expect(findCaller(keys, junk)).rejects.toMatchObject(invalid)
  }
  expect(asked).toBe(0)
  await expect(findCaller(keys, key)).rejects.toMatchObject(invalid)
  expect(asked).toBe(1)
})
