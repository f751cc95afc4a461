// The first key of a store, which the first start makes.
import { describe, expect, test } from 'vitest'
import { newKey, type OpenStore } from './subject.ts'

export function firstKeySuite(open: OpenStore): void {
  describe('the first key', () => {
    test('of many at once one is stored, and later ones are not', async () => {
      const { store } = await open()
      try {
        const keys = Array.from({ length: 20 }, () => newKey())
        const stored = await Promise.all(keys.map((key) => store.keys.insertFirst(key)))
        expect(stored.filter((isStored) => isStored)).toHaveLength(1)
        const first = keys[stored.indexOf(true)]
        expect(await store.keys.insertFirst(newKey())).toBe(false)
        expect((await store.keys.list()).map(({ id }) => id)).toEqual([first?.id])
      } finally {
        await store.close()
      }
    })
  })
}
