// What is urgent leaves before what is patient, and that before what is one of many, whenever each came;
// within a lane askers take turns.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Urgency, UrgentFirst } from './urgent-first.ts'

test('gives out whatever is urgent first, and of one asker the first to come', () => {
  const urgency = fc.constantFrom<Urgency>('urgent', 'patient', 'bulk')
  fc.assert(
    fc.property(fc.array(urgency), (urgencies) => {
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
