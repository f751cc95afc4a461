// Each asker has its own places, and nothing is kept of one that has none.
import { expect, test } from 'vitest'
import { PlacesOfEach } from './places-of-each.ts'

test('of each asker so many have a place at once, and the others come in order', async () => {
  const places = new PlacesOfEach(2)
  const in_: string[] = []
  const take = (name: string, asker: string): void => {
    void places.take(asker).then(() => in_.push(name))
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  for (const name of ['a1', 'a2', 'a3', 'a4']) take(name, 'a')
  take('b1', 'b')
  await settled()
  expect(in_).toEqual(['a1', 'a2', 'b1'])
  places.end('a')
  await settled()
  expect(in_).toEqual(['a1', 'a2', 'b1', 'a3'])
  places.end('b')
  take('b2', 'b')
  places.end('a')
  places.end('a')
  places.end('a')
  await settled()
  take('a5', 'a')
  await settled()
  expect(in_).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5'])
})
