// The model that a store's vectors come from: the first one that a server brings is adopted, and stays.
import { describe, expect, test } from 'vitest'
import { MODEL, type OpenStore, OTHER_MODEL } from './subject.ts'

export function adoptionSuite(open: OpenStore): void {
  describe('adoption of a model', () => {
    test('the first model is adopted for good, and only where it lies is noted anew', async () => {
      const { store, openReembedding } = await open()
      try {
        expect(await store.generations.current()).toBeUndefined()
        const mover = await openReembedding()
        expect(await mover.state()).toMatchObject({ current: undefined, growing: undefined })
        await mover.close()
        const first = await store.generations.adopt(MODEL)
        expect(first).toEqual({ ...MODEL, number: first.number })
        expect(await store.generations.adopt(OTHER_MODEL)).toEqual(first)
        const source = {
          kind: 'openai' as const,
          baseUrl: 'https://models.example.com/v1',
          model: 'm',
        }
        expect(await store.generations.adopt({ ...MODEL, source })).toEqual({ ...first, source })
        expect(await store.generations.current()).toEqual({ ...first, source })
      } finally {
        await store.close()
      }
    })

    test('of two models that are adopted at once one is in use, and found where it lies', async () => {
      const { store } = await open()
      try {
        const models = [MODEL, OTHER_MODEL]
        const adopted = await Promise.all(models.map((model) => store.generations.adopt(model)))
        const current = await store.generations.current()
        expect(adopted).toEqual([current, current])
        const known = models.map((model) => ({ ...model, number: current?.number }))
        expect(known).toContainEqual(current)
      } finally {
        await store.close()
      }
    })
  })
}
