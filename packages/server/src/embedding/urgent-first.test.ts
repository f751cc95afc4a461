// What is urgent leaves before what is patient, and that before what is one of many, whenever each came, but
// nothing is passed over for ever; within a lane askers take turns.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Urgency, UrgentFirst } from './urgent-first.ts'

const urgency = fc.constantFrom<Urgency>('urgent', 'patient', 'bulk')

test('gives out whatever is urgent first, and of one asker the first to come', () => {
  fc.assert(
    fc.property(fc.array(urgency, { maxLength: 8 }), (urgencies) => {
      const queue = new UrgentFirst<string>()
      for (const [order, lane] of urgencies.entries()) queue.add(`${lane} ${order}`, lane)
      const byLane = (lane: Urgency): string[] =>
        urgencies.flatMap((other, order) => (other === lane ? `${lane} ${order}` : []))
      const given = urgencies.map(() => queue.next())
      expect(given).toEqual([...byLane('urgent'), ...byLane('patient'), ...byLane('bulk')])
      expect(queue.next()).toBeUndefined()
    }),
  )
})

test('however many of a lane above come, one in nine that leave is a memory, and one in thirty-four of many', () => {
  const coming = fc.array(fc.record({ urgency, leaves: fc.nat({ max: 2 }) }), { minLength: 200 })
  fc.assert(
    fc.property(coming, (all) => {
      const queue = new UrgentFirst<Urgency>()
      const waiting = { urgent: 0, patient: 0, bulk: 0 }
      const passedOver = { patient: 0, bulk: 0 }
      for (const { urgency, leaves } of all) {
        queue.add(urgency, urgency)
        waiting[urgency] += 1
        for (let left = 0; left < leaves; left += 1) {
          const next = queue.nextPatient() ?? queue.next()
          if (next !== undefined) waiting[next] -= 1
          for (const lane of ['patient', 'bulk'] as const) {
            passedOver[lane] = next === lane || waiting[lane] === 0 ? 0 : passedOver[lane] + 1
          }
        }
        expect(passedOver.patient).toBeLessThanOrEqual(8)
        expect(passedOver.bulk).toBeLessThanOrEqual(33)
      }
    }),
  )
})

test('what was handed out early and called back each time has its turn as well', () => {
  const queue = new UrgentFirst<string>()
  queue.add('one of many', 'bulk')
  queue.add('memory', 'patient')
  const begun: (string | undefined)[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    queue.add('query', 'urgent')
    begun.push(queue.next())
    const early = [queue.nextPatient(), queue.nextPatient()]
    if (early.includes('one of many')) queue.putBack('one of many', 'bulk')
    if (early.includes('memory')) queue.putBack('memory', 'patient')
  }
  expect(begun.indexOf('memory')).toBe(8)
  expect(begun.indexOf('one of many')).toBeGreaterThan(8)
})

test('an urgent one that comes alone is never behind another', () => {
  const queue = new UrgentFirst<string>()
  for (let turn = 0; turn < 100; turn += 1) {
    queue.add('memory', 'patient')
    queue.add('query', 'urgent')
    expect([queue.next(), queue.next()]).toEqual(['query', 'memory'])
  }
})

test('is empty when it was drained', () => {
  const queue = new UrgentFirst<string>()
  queue.add('one of many', 'bulk')
  queue.add('memory', 'patient')
  queue.add('query', 'urgent')
  expect(queue.drain()).toEqual(['query', 'memory', 'one of many'])
  expect(queue.next()).toBeUndefined()
})

test('puts what was called back in front of its lane', () => {
  const queue = new UrgentFirst<string>()
  queue.add('second', 'patient')
  queue.putBack('first', 'patient')
  queue.add('query', 'urgent')
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['query', 'first', 'second'])
})

test('gives out nothing patient while something urgent waits', () => {
  const queue = new UrgentFirst<string>()
  queue.add('memory', 'patient')
  queue.add('one of many', 'bulk')
  queue.add('query', 'urgent')
  expect([queue.length, queue.firstPatient, queue.nextPatient()]).toEqual([3, undefined, undefined])
  expect([queue.next(), queue.firstPatient, queue.nextPatient(), queue.nextPatient()]).toEqual([
    'query',
    'memory',
    'memory',
    'one of many',
  ])
})

test('lets those who ask take turns within a lane', () => {
  const queue = new UrgentFirst<string>()
  for (const piece of ['one', 'two', 'three']) queue.add(`a long text, ${piece}`, 'patient', 1)
  queue.add('a short text', 'patient', 2)
  queue.add('a query', 'urgent', 1)
  expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual([
    'a query',
    'a long text, one',
    'a short text',
    'a long text, two',
  ])
})

test('of an asker’s many queries the newest have turns, of its memories only the oldest', () => {
  const queue = new UrgentFirst<number>()
  const orders = Array.from({ length: 100 }, (_, order) => order)
  for (const order of orders) queue.add(order, 'urgent', 1)
  expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual([0, 99, 1, 98])
  queue.drain()
  for (const order of orders) queue.add(order, 'patient', 1)
  expect(orders.map(() => queue.next())).toEqual(orders)
})
