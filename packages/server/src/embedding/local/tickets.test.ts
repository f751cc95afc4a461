import { expect, it } from 'vitest'
import { Tickets } from './tickets.ts'

it('a ticket can be taken once, by either side', () => {
  const pool = new Tickets()
  const worker = new Tickets(pool.cells)
  const first = pool.issue()
  expect([worker.take(first), pool.take(first), worker.take(first)]).toEqual([true, false, false])
  const second = pool.issue()
  expect([pool.take(second), worker.take(second)]).toEqual([true, false])
})

it('a job keeps its ticket however often the one behind it is replaced', () => {
  const tickets = new Tickets()
  const first = tickets.issue(tickets.issue())
  const replaced = [tickets.issue(first), tickets.issue(first), tickets.issue(first)]
  expect(replaced.map((ticket) => tickets.take(ticket))).toEqual([false, false, true])
  expect(tickets.take(first)).toBe(true)
})

it('tickets go on after two thousand million jobs', () => {
  const pool = new Tickets(undefined, 2 ** 31 - 3)
  const worker = new Tickets(pool.cells)
  for (let count = 0; count < 5; count += 1) expect(worker.take(pool.issue())).toBe(true)
})
