// Requests are bounded, and nobody's slow ones keep the others out: who has none under way finds a place, a
// search finds one beside creates, and a place that is given back goes to who has the fewest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Claim, Urgency } from '../urgent-first.ts'
import { InFlight } from './in-flight.ts'

const claim = (asker: number, urgency: Urgency = 'patient'): Claim => ({ asker, urgency })

/** Requests that are under way until they are ended by name, in the order in which they began. */
function setUp(max: number) {
  const inFlight = new InFlight(max)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const outcomes: Promise<unknown>[] = []
  async function ask(name: string, whose: Claim): Promise<void> {
    const outcome = inFlight.run(whose, async () => {
      begun.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      await promise
    })
    outcomes.push(outcome.catch((error: unknown) => error))
    await nextTurn()
  }
  async function end(name: string): Promise<void> {
    ends.get(name)?.()
    await nextTurn()
  }
  return { inFlight, begun, outcomes, ask, end }
}

async function askMany(ask: ReturnType<typeof setUp>['ask'], count: number, whose: Claim) {
  for (let number = 1; number <= count; number += 1) {
    await ask(`${whose.urgency} ${number} of ${whose.asker}`, whose)
  }
}

test('no more requests of one asker are under way than there are places, and the others follow', async () => {
  const { begun, ask, end } = setUp(2)
  await askMany(ask, 4, claim(1))
  expect(begun).toEqual(['patient 1 of 1', 'patient 2 of 1'])
  await end('patient 2 of 1')
  expect(begun.slice(2)).toEqual(['patient 3 of 1'])
})

test('who has none under way begins at once, although another one has taken all places', async () => {
  const { begun, ask, end } = setUp(4)
  await askMany(ask, 6, claim(1))
  await ask('a create', claim(2))
  expect(begun.slice(4)).toEqual(['a create'])
  await ask('another create', claim(2))
  expect(begun).toHaveLength(5)
  await end('a create')
  expect(begun.slice(5)).toEqual(['another create'])
})

test('a search begins at once beside creates, those of its own asker and of others', async () => {
  const { begun, ask } = setUp(4)
  await askMany(ask, 6, claim(1))
  await ask('a create', claim(2))
  await ask('a search', claim(1, 'urgent'))
  expect(begun.slice(4)).toEqual(['a create', 'a search'])
})

test('lines of an import find no place beyond those of all', async () => {
  const { begun, ask } = setUp(2)
  await askMany(ask, 3, claim(1, 'bulk'))
  await ask('a line of another', claim(2, 'bulk'))
  await ask('a create', claim(2))
  expect(begun.slice(2)).toEqual(['a create'])
})

test('two places are the most that there are beyond, however many ask', async () => {
  const { begun, ask } = setUp(4)
  await askMany(ask, 4, claim(1))
  for (let asker = 2; asker < 9; asker += 1) {
    await ask(`create of ${asker}`, claim(asker))
    await ask(`search of ${asker}`, claim(asker, 'urgent'))
  }
  expect(begun.slice(4)).toEqual(['create of 2', 'search of 2'])
})

test('a place that is given back goes to who has the fewest under way', async () => {
  const { begun, ask, end } = setUp(4)
  await askMany(ask, 8, claim(1))
  await askMany(ask, 8, claim(2))
  for (const number of [1, 2, 3, 4]) await end(`patient ${number} of 1`)
  const after = begun.slice(4)
  expect(after.filter((name) => name.endsWith('of 2')).length).toBeGreaterThanOrEqual(2)
  // One's end quickly and the other's never: that one does not come to have more.
  for (let number = 1; number <= 6; number += 1) await end(`patient ${number} of 2`)
  expect(begun.filter((name) => name.endsWith('of 1')).length).toBeLessThanOrEqual(4 + 2)
  expect(begun.filter((name) => name.endsWith('of 2'))).toHaveLength(8)
})

test('what waits is refused when told to, and what is under way goes on', async () => {
  const { inFlight, begun, outcomes, ask, end } = setUp(1)
  await ask('under way', claim(1))
  await ask('waiting', claim(1))
  const reason = new Error('away')
  inFlight.refuseWaiting(reason)
  await expect(outcomes[1]).resolves.toBe(reason)
  await ask('later', claim(1))
  await end('under way')
  await expect(outcomes[0]).resolves.toBeUndefined()
  expect(begun).toEqual(['under way', 'later'])
})

test('what is given up while it waits is never begun, and what is begun goes on', async () => {
  const { begun, outcomes, ask, end } = setUp(1)
  const leaving = new AbortController()
  const givenUp = { ...claim(1), signal: leaving.signal }
  await ask('begun', givenUp)
  await ask('waiting', givenUp)
  await ask('other', claim(1))
  leaving.abort(new Error('left'))
  expect(await outcomes[1]).toEqual(new Error('left'))
  await ask('late', givenUp)
  expect(await outcomes[3]).toEqual(new Error('left'))
  await end('begun')
  expect(await outcomes[0]).toBeUndefined()
  expect(begun).toEqual(['begun', 'other'])
})
