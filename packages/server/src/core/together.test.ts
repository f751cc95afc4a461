import { expect, test } from 'vitest'
import { Together } from './together.ts'

test('enough of them go on at once, fewer when the first has waited long enough', async () => {
  const together = new Together(3)
  const gone: number[] = []
  const come = (name: number) => together.wait(20).then(() => gone.push(name))
  const all = [1, 2].map(come)
  await Promise.resolve()
  expect(gone).toEqual([])
  all.push(come(3), come(4))
  await Promise.all(all.slice(0, 3))
  expect(gone).toEqual([1, 2, 3])
  await all[3]
  expect(gone).toEqual([1, 2, 3, 4])
})
