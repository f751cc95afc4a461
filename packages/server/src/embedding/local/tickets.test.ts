// A job is begun or called back, never both, however often its cell is used again. Both sides of the cells
// are in one thread here, so that each order of events can be written down.
import { expect, test } from 'vitest'
import { newCells, Tickets } from './tickets.ts'

/** Both sides of the same cells. */
function sides(cells = 2, issued = 0) {
  const pool = new Tickets(newCells(cells), issued)
  const issue = () => pool.issue()
  return { pool, worker: new Tickets(pool.cells), issue }
}

test('a job is begun or called back, and only once', () => {
  const { pool, worker, issue } = sides()
  const first = issue()
  expect([worker.begin(first), pool.callBack(first), worker.begin(first)]).toEqual([
    true,
    false,
    false,
  ])
  const second = issue()
  expect([pool.callBack(second), worker.begin(second)]).toEqual([true, false])
})

test('a job keeps its ticket however often the one behind it is replaced', () => {
  const { pool, worker, issue } = sides()
  const first = issue()
  for (let count = 0; count < 5; count += 1) expect(pool.callBack(issue())).toBe(true)
  expect(worker.begin(first)).toBe(true)
})

test('no more jobs are at a worker than there are cells, and one that is done makes room', () => {
  const { worker, issue } = sides()
  const first = issue()
  issue()
  expect(issue).toThrow('more jobs')
  worker.begin(first)
  expect(issue).toThrow('more jobs')
  worker.end(first)
  expect(issue).not.toThrow()
})

test('the pool can tell the job that a worker is at from those before and after it', () => {
  const { pool, worker, issue } = sides(3)
  const tickets = [issue(), issue(), issue()]
  const [done, begun] = tickets
  if (done === undefined || begun === undefined) throw new Error('There are three.')
  worker.begin(done)
  worker.end(done)
  worker.begin(begun)
  // Its cell is used again.
  const later = issue()
  expect([...tickets, later].map((ticket) => pool.isBegun(ticket))).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('tickets go on after two thousand million jobs', () => {
  const { worker, issue } = sides(2, 2 ** 31 - 3)
  for (let count = 0; count < 5; count += 1) {
    const ticket = issue()
    expect(worker.begin(ticket)).toBe(true)
    worker.end(ticket)
  }
})
