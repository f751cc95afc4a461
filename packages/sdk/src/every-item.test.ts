// A list that changes while it is read, in every way that fast-check can think of: what is there throughout
// is told once, and nothing is told twice.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everyItem } from './every-item.ts'

type Listed = { id: string; createdAt: string }

/** A list of a service, newest first; several records have the same time. */
class List {
  items: Listed[] = []
  #made = 0
  #laterMs = 0
  #asked = 0
  create(): void {
    const number = this.#made
    this.#made += 1
    const createdAt = new Date(Math.floor(number / 3) + this.#laterMs).toISOString()
    this.items.unshift({ id: `mem_${String(number).padStart(6, '0')}`, createdAt })
  }
  /** What is made from now on is told apart by its time from what was made before. */
  pass(): void {
    this.#laterMs += 1
  }
  delete(index: number): void {
    this.items.splice(index, 1)
  }
  read(page: number, limit: number) {
    this.#asked += 1
    const total = this.items.length
    const items = this.items.slice((page - 1) * limit, page * limit)
    return { items, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
  }
  asked = (): number => this.#asked
}

const change = fc.oneof(
  fc.constant({ kind: 'create' as const, at: 0 }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(40) }),
)

test('whatever is there throughout is told once, newest first, and nothing new', async () => {
  let changed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 30 }),
      async (size, limit, scenario) => {
        const changes = [...scenario]
        const list = new List()
        for (let count = 0; count < size; count += 1) list.create()
        list.pass()
        const before = [...list.items]
        const told: Listed[] = []
        const readPage = async (page: number) => {
          // Before each page but the first.
          if (list.asked() > 0) {
            for (const { kind, at } of changes.shift() ?? []) {
              changed += 1
              if (kind === 'create') list.create()
              else list.delete(at)
            }
          }
          return list.read(page, limit)
        }
        for await (const item of everyItem(readPage)) told.push(item)
        const throughout = before.filter((item) => list.items.includes(item))
        expect(told.filter((item) => list.items.includes(item))).toEqual(throughout)
        expect(told).toEqual(before.filter((item) => told.includes(item)))
        expect(new Set(told).size).toBe(told.length)
      },
    ),
    { numRuns: 2000 },
  )
  expect(changed).toBeGreaterThan(1000)
})

test('an unchanged list is read once, page by page, and no page before it is wanted', async () => {
  const list = new List()
  for (let count = 0; count < 20; count += 1) list.create()
  const items = everyItem(async (page) => list.read(page, 10))
  expect(list.asked()).toBe(0)
  for (let count = 0; count < 10; count += 1) await items.next()
  expect(list.asked()).toBe(1)
  for await (const _ of items);
  expect(list.asked()).toBe(2)
})

test('as many pages as were deleted in front of the reader are gone back at once', async () => {
  const list = new List()
  for (let count = 0; count < 50; count += 1) list.create()
  const items = everyItem(async (page) => list.read(page, 10))
  for (let count = 0; count < 30; count += 1) await items.next()
  for (let count = 0; count < 25; count += 1) list.delete(0)
  const left = list.items.slice(5)
  const told: Listed[] = []
  for await (const item of items) told.push(item)
  expect(told).toEqual(left)
  // Three pages, the fourth, back to the first, and on to the last of those that are left.
  expect(list.asked()).toBe(7)
})

test('a page on which something was told already goes on, whatever was deleted meanwhile', async () => {
  const list = new List()
  for (let count = 0; count < 50; count += 1) list.create()
  const items = everyItem(async (page) => {
    if ([3, 4].includes(list.asked())) list.delete(0)
    return list.read(page, 10)
  })
  const told: Listed[] = []
  for await (const item of items) told.push(item)
  expect(told).toHaveLength(50)
  // Three pages, the fourth, back to the third, and the last two.
  expect(list.asked()).toBe(7)
})

test('an empty list is one page', async () => {
  const list = new List()
  for await (const _ of everyItem(async (page) => list.read(page, 10))) expect.unreachable()
  expect(list.asked()).toBe(1)
})

test('a reader comes to the end though something is deleted before every page', async () => {
  for (const at of [0, 99]) {
    const list = new List()
    for (let count = 0; count < 100; count += 1) list.create()
    const told: Listed[] = []
    const readPage = async (page: number) => {
      list.delete(Math.min(at, list.items.length - 1))
      return list.read(page, 10)
    }
    for await (const item of everyItem(readPage)) told.push(item)
    expect(told).toEqual(expect.arrayContaining(list.items))
    expect(list.asked()).toBeLessThanOrEqual(100)
  }
})

test('a page that cannot be read ends the reading with its error', async () => {
  const items = everyItem(() => Promise.reject(new RangeError('no')))
  await expect(items.next()).rejects.toThrow(RangeError)
})
