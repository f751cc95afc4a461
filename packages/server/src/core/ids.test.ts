// Ids sort as they were made, cannot be guessed, and never come twice, even when the clock is set back.
import { expect, test } from 'vitest'
import { setClock } from '../testing/set-clock.ts'
import { createIdentify } from './ids.ts'

test.each(['mem', 'ent', 'rel', 'key'] as const)(
  'an id of %s has its prefix and 25 characters',
  (prefix) => {
    const identify = createIdentify(setClock())
    for (let count = 0; count < 100; count += 1) {
      expect(identify(prefix).id).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{25}$`))
    }
  },
)

test('ids are in the order of their making, within a millisecond and across many', () => {
  const clock = setClock()
  const identify = createIdentify(clock)
  const ids: string[] = []
  for (let ms = 0; ms < 50; ms += 1) {
    for (let count = 0; count < 200; count += 1) ids.push(identify('mem').id)
    clock.pass(1)
  }
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids of one moment keep their order when there are more than its counter tells apart', () => {
  const identify = createIdentify(setClock())
  const ids = Array.from({ length: 65_540 }, () => identify('mem').id)
  expect(ids.slice(-10).toSorted()).toEqual(ids.slice(-10))
})

test('times of every length sort, up to the last that 48 bits hold', () => {
  const idAt = (time: number): string => createIdentify(setClock(time))('mem').id
  const times = [0, 1, 61, 62, 1_000, 2 ** 31, Date.UTC(2026, 10, 21), 2 ** 48 - 1]
  const ids = times.map(idAt)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids.map(({ length }) => length))).toEqual(new Set([29]))
})

test('ids of one moment made by two processes differ in any of 80 bits, which nobody can guess', () => {
  const ids = Array.from({ length: 1_000 }, () => createIdentify(setClock())('mem').id)
  expect(new Set(ids).size).toBe(1_000)
  const numbers = ids.map((id) => numberOf(id.slice('mem_'.length)))
  const [some, all] = [numbers.reduce((a, b) => a | b), numbers.reduce((a, b) => a & b)]
  const random = (1n << 80n) - 1n
  expect([some & random, all & random]).toEqual([random, 0n])
})

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (text: string): bigint =>
  [...text].reduce((number, digit) => number * 62n + BigInt(DIGITS.indexOf(digit)), 0n)

test('a clock that is set back gives no id twice', () => {
  const clock = setClock()
  const identify = createIdentify(clock)
  const ids = new Set<string>()
  for (let count = 0; count < 500; count += 1) {
    ids.add(identify('mem').id)
    clock.step(count % 2 === 0 ? -1 : 1)
  }
  expect(ids.size).toBe(500)
})

test('the identity carries the time that its record shows, and so does its id, however many came before', () => {
  const clock = setClock()
  const identify = createIdentify(clock)
  for (let count = 0; count < 65_540; count += 1) {
    identify('mem')
    clock.pass(1)
  }
  const { id, createdAt } = identify('mem')
  expect(createdAt).toBe(clock.now())
  expect(numberOf(id.slice('mem_'.length)) >> 96n).toBe(BigInt(createdAt))
})
