// A text is refused before any work or let in for good, memories never keep queries out, and the
// texts of one asker keep out nobody who has none in. What is counted ends with the text, however
// that ends.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Backlog } from './backlog.ts'
import { EmbedderUnavailable } from './embedder.ts'
import type { Claim, Urgency } from './urgent-first.ts'

const LONG = 'x'.repeat(600)
/** A tenth of a room of 1,000 characters. */
const SHORT = 'x'.repeat(100)

const claim = (asker?: number, urgency: Urgency = 'patient'): Claim => ({ asker, urgency })

/** Work that ends when told to. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, finish: () => resolve('done'), fail: reject }
}

/** Texts that are in until they are ended, all at once. */
function texts(backlog: Backlog, count: number, whose: Claim) {
  const { work, finish } = openWork()
  const outcomes = Array.from({ length: count }, () => backlog.admit(SHORT, whose, work))
  const end = async () => {
    finish()
    return Promise.all(outcomes)
  }
  return { end }
}

const ask = (backlog: Backlog, whose: Claim): Promise<string> =>
  backlog.admit(SHORT, whose, async () => 'done')

async function expectRefused(outcome: Promise<unknown>): Promise<void> {
  await expect(outcome).rejects.toBeInstanceOf(EmbedderUnavailable)
}

describe('backlog', () => {
  test('refuses at once, before any work, when there is no room', async () => {
    const backlog = new Backlog(1_000)
    const { work, finish } = openWork()
    const admitted = [1, 2].map((asker) => backlog.admit(LONG, claim(asker), work))
    let begun = false
    const refused = backlog.admit('short', claim(3), async () => {
      begun = true
    })
    await expectRefused(refused)
    expect(begun).toBe(false)
    expect(backlog.hasRoom()).toBe(false)
    finish()
    await expect(Promise.all(admitted)).resolves.toEqual(['done', 'done'])
  })

  test('has room again when a text is done, and when it failed', async () => {
    const backlog = new Backlog(500)
    const failing = backlog.admit(LONG, claim(1), () => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    expect(backlog.hasRoom()).toBe(true)
    await expect(backlog.admit(LONG, claim(1), async () => 'done')).resolves.toBe('done')
  })

  test('lets queries in while memories take all the room of theirs', async () => {
    const backlog = new Backlog(500)
    const { work, finish } = openWork()
    const memory = backlog.admit(LONG, claim(1), work)
    await expect(ask(backlog, claim(1, 'urgent'))).resolves.toBe('done')
    finish()
    await memory
  })

  test('counts short texts too', async () => {
    const backlog = new Backlog(1_000)
    const { work, finish } = openWork()
    const whose = (asker: number) => claim(asker, 'urgent')
    const admitted = Array.from({ length: 10 }, (_, asker) =>
      backlog.admit('x', whose(asker), work),
    )
    await expectRefused(backlog.admit('x', whose(10), work))
    finish()
    await Promise.all(admitted)
  })

  test('lets an import in, however much is in, and counts nothing of it', async () => {
    const backlog = new Backlog(1_000)
    const imported = texts(backlog, 20, claim(1, 'bulk'))
    const created = texts(backlog, 8, claim(1))
    await expect(ask(backlog, claim(1, 'bulk'))).resolves.toBe('done')
    await expect(ask(backlog, claim(2))).resolves.toBe('done')
    await imported.end()
    await expectRefused(ask(backlog, claim(1)))
    await created.end()
  })
})

describe.each(['urgent', 'patient'] as const)('the last quarter of the room, %s', (urgency) => {
  test('is for askers who have nothing in, whatever another one sends', async () => {
    const backlog = new Backlog(1_000)
    const many = texts(backlog, 8, claim(1, urgency))
    await expectRefused(ask(backlog, claim(1, urgency)))
    expect(backlog.hasRoom()).toBe(true)
    await expect(ask(backlog, claim(2, urgency))).resolves.toBe('done')
    await expect(ask(backlog, claim(3, urgency))).resolves.toBe('done')
    await many.end()
  })

  test('takes one text of each of them, until it is full as well', async () => {
    const backlog = new Backlog(1_000)
    const many = texts(backlog, 8, claim(1, urgency))
    const second = texts(backlog, 1, claim(2, urgency))
    await expectRefused(ask(backlog, claim(2, urgency)))
    expect(backlog.hasRoom()).toBe(true)
    const third = texts(backlog, 1, claim(3, urgency))
    expect(backlog.hasRoom()).toBe(false)
    await expectRefused(ask(backlog, claim(4, urgency)))
    for (const some of [many, second, third]) await some.end()
    expect(backlog.hasRoom()).toBe(true)
  })

  test('is for work of nobody too, all of which is of one asker', async () => {
    const backlog = new Backlog(1_000)
    const many = texts(backlog, 8, claim(1, urgency))
    const nobodys = texts(backlog, 1, claim(undefined, urgency))
    await expectRefused(ask(backlog, claim(undefined, urgency)))
    await expect(ask(backlog, claim(2, urgency))).resolves.toBe('done')
    for (const some of [many, nobodys]) await some.end()
  })

  test.each([
    ['done', async () => 'done'],
    ['failed', () => Promise.reject(new Error('failed'))],
    [
      'not even begun',
      () => {
        throw new Error('failed')
      },
    ],
  ])('is for an asker again whose last text is %s', async (_, embed) => {
    const backlog = new Backlog(1_000)
    const many = texts(backlog, 8, claim(1, urgency))
    await backlog.admit(SHORT, claim(2, urgency), embed).catch(() => undefined)
    const other = texts(backlog, 1, claim(2, urgency))
    await expectRefused(ask(backlog, claim(2, urgency)))
    for (const some of [many, other]) await some.end()
  })
})

test('an asker who has memories in is new with a query, and the other way round', async () => {
  const backlog = new Backlog(1_000)
  const [memories, queries] = (['patient', 'urgent'] as const).map((urgency, asker) => [
    texts(backlog, 8, claim(asker, urgency)),
    texts(backlog, 1, claim(2, urgency)),
  ])
  await expect(ask(backlog, claim(0, 'urgent'))).resolves.toBe('done')
  await expect(ask(backlog, claim(1, 'patient'))).resolves.toBe('done')
  for (const some of [...(memories ?? []), ...(queries ?? [])]) await some.end()
})

const begins = fc.record({
  asker: fc.nat({ max: 3 }),
  urgency: fc.constantFrom<Urgency>('urgent', 'patient', 'bulk'),
  length: fc.nat({ max: 300 }),
})
/** One of those that are in. */
const ends = fc.record({ place: fc.nat(), fails: fc.boolean() })
const steps = fc.array(fc.oneof({ arbitrary: begins, weight: 3 }, { arbitrary: ends, weight: 1 }), {
  minLength: 20,
  maxLength: 60,
  size: 'max',
})

type Inside = { whose: Claim; cost: number; end: (fails: boolean) => Promise<unknown> }

const costOf = (some: Inside[]): number => some.reduce((sum, { cost }) => sum + cost, 0)

test('who is let in follows from the texts that are in at the moment, however others ended', () => {
  const property = fc.asyncProperty(steps, async (some) => {
    const backlog = new Backlog(1_000)
    const inside: Inside[] = []
    const alike = (urgency: Urgency) => inside.filter(({ whose }) => whose.urgency === urgency)
    for (const step of some) {
      if ('place' in step) {
        const [left] = inside.splice(step.place % (inside.length || 1), 1)
        await left?.end(step.fails)
      } else {
        const { asker, urgency, length } = step
        const hasOne = alike(urgency).some(({ whose }) => whose.asker === asker)
        const isOpen = urgency === 'bulk' || costOf(alike(urgency)) < (hasOne ? 750 : 1_000)
        const { work, finish, fail } = openWork()
        let begun = false
        const embed = () => {
          begun = true
          return work()
        }
        const whose = claim(asker, urgency)
        const outcome = backlog.admit('x'.repeat(length), whose, embed).catch(() => undefined)
        expect(begun).toBe(isOpen)
        const end = (fails: boolean) => {
          if (fails) fail(new Error('failed'))
          else finish()
          return outcome
        }
        if (begun) inside.push({ whose, cost: Math.max(length, 100), end })
      }
      const isOpen = [alike('urgent'), alike('patient')].every((kind) => costOf(kind) < 1_000)
      expect(backlog.hasRoom()).toBe(isOpen)
    }
  })
  return fc.assert(property)
})
