// That nothing is taken twice or by another number, and that what was taken is let go of at once.
import { getHeapStatistics } from 'node:v8'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../testing/collect-garbage.ts'
import { CallSlots } from './call-slots.ts'

/**
 * V8 makes an object at once where old ones lie if most of those of its line of code have grown old. It learns
 * that before it has seen the line used otherwise, so that this comes before every other test.
 */
const growOld = (): void => {
  const slots = new CallSlots<number>()
  for (let value = 0; value < 120_000; value += 1) {
    slots.add(value)
    if (value % 1_000 === 0) collectGarbage('minor')
    if (value % 20_000 === 0) collectGarbage()
  }
}

test('what was taken is gone with the next collection of young objects, though others waited long', () => {
  growOld()
  const slots = new CallSlots<string[]>()
  const waiting: number[] = []
  // Not an array of this line's own, so that it is young for sure.
  const json = JSON.stringify(new Array(1_000).fill('text'))
  const goOn = (): void => {
    waiting.push(slots.add(JSON.parse(json)))
    if (waiting.length > 64) slots.take(waiting.shift() ?? 0)
  }
  // By then what waits is old, and so are the slots.
  for (let round = 0; round < 200; round += 1) goOn()
  for (let times = 0; times < 3; times += 1) collectGarbage()
  const before = getHeapStatistics().used_heap_size
  for (let round = 0; round < 2_000; round += 1) {
    goOn()
    if (round % 100 === 0) collectGarbage('minor')
  }
  collectGarbage('minor')
  collectGarbage('minor')
  const bytesOfAll = 2_000 * 8_000
  expect(getHeapStatistics().used_heap_size - before).toBeLessThan(bytesOfAll / 4)
})

test('each number gives what it was given for, once, whatever waits beside it', () => {
  const add = fc.record({ kind: fc.constant('add' as const), value: fc.nat() })
  // Of the latest, so that one is often taken again, when another one has its slot.
  const take = fc.record({ kind: fc.constant('take' as const), ago: fc.nat(5) })
  const takeAll = fc.record({ kind: fc.constant('takeAll' as const) })
  const step = fc.oneof(
    { weight: 8, arbitrary: add },
    { weight: 8, arbitrary: take },
    { weight: 1, arbitrary: takeAll },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = new CallSlots<number>()
      const known = new Map<number, number>()
      const given: number[] = []
      for (const each of steps) {
        if (each.kind === 'add') {
          const number = slots.add(each.value)
          expect(number).toBeGreaterThan(0)
          expect(given).not.toContain(number)
          given.push(number)
          known.set(number, each.value)
        } else if (each.kind === 'take') {
          const number = given.at(-1 - each.ago) ?? 0
          expect(slots.take(number)).toBe(known.get(number))
          known.delete(number)
        } else {
          expect(slots.takeAll().sort()).toEqual([...known.values()].sort())
          known.clear()
        }
      }
    }),
  )
})

test('slots are used again: any number may wait, one after the other', () => {
  const slots = new CallSlots<number>()
  let lost = 0
  for (let value = 0; value <= 2 ** 20; value += 1) {
    if (slots.take(slots.add(value)) !== value) lost += 1
  }
  expect(lost).toBe(0)
})
