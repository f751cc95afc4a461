// A hash is verified with the parameters that it was made with, and hashing neither holds up the event loop
// nor queues without end. The real cost is paid in one case alone: it takes some hundred milliseconds.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { PASSWORD_COST, Passwords } from './passwords.ts'

vi.mock('node:crypto', { spy: true })

const HOME = { network: '192.0.2.1', isExpected: false }
const cheap = { log2N: 4, r: 1, p: 1 }

describe('passwords', () => {
  test('the cost is what OWASP recommends for scrypt', () => {
    expect(PASSWORD_COST).toEqual({ log2N: 17, r: 8, p: 1 })
  })

  test('the real cost works, and the event loop goes on meanwhile', async () => {
    const passwords = new Passwords()
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 5)
    const stored = await passwords.hash('correct horse battery', HOME)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(2)
    expect(stored).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.verify('correct horse battery', stored, HOME)).toBe(true)
    expect(await passwords.verify('correct horse batterY', stored, HOME)).toBe(false)
  })

  test('equal passwords have different hashes, and neither composition nor width matters', async () => {
    const passwords = new Passwords(cheap)
    const [one, two] = [
      await passwords.hash('caf\u00e9', HOME),
      await passwords.hash('caf\u00e9', HOME),
    ]
    expect(one).not.toBe(two)
    expect(await passwords.verify('cafe\u0301', one, HOME)).toBe(true)
    // As an East Asian keyboard may write the same letters.
    expect(await passwords.verify('\uff43\uff41\uff46\u00e9', one, HOME)).toBe(true)
  })

  test('how long a comparison takes does not say where the hashes differ', async () => {
    const passwords = new Passwords(cheap)
    const stored = await passwords.hash('x', HOME)
    const comparison = vi.mocked(timingSafeEqual).mockClear()
    await passwords.verify('x', stored, HOME)
    await passwords.verify('y', stored, HOME)
    expect(comparison.mock.results.map(({ value }) => value)).toEqual([true, false])
  })

  test('where there is no account nothing is right, after the same work', async () => {
    const passwords = new Passwords(cheap)
    const stored = await passwords.hash('x', HOME)
    const work = vi.mocked(scrypt)
    const worked = async (password: string, against: string | undefined) => {
      work.mockClear()
      expect(await passwords.verify(password, against, HOME)).toBe(false)
      return work.mock.calls.map(([, , bytes, cost]) => [bytes, cost])
    }
    const known = await worked('anything', stored)
    expect(known).toHaveLength(1)
    expect(await worked('', undefined)).toEqual(known)
    expect(await worked('anything', undefined)).toEqual(known)
  })

  test('a hash of other parameters is verified with its own, and known to be outdated', async () => {
    const stored = await new Passwords(cheap).hash('x', HOME)
    const today = new Passwords({ log2N: 5, r: 1, p: 1 })
    expect(await today.verify('x', stored, HOME)).toBe(true)
    for (const other of [{ log2N: 5 }, { r: 2 }, { p: 2 }]) {
      expect(new Passwords({ ...cheap, ...other }).isOutdated(stored)).toBe(true)
    }
    expect(new Passwords(cheap).isOutdated(stored)).toBe(false)
  })

  /** Who was let in, in the order in which their work began; what was refused is no failure of the test. */
  function queue() {
    const work = vi.mocked(scrypt).mockClear()
    const passwords = new Passwords({ log2N: 8, r: 8, p: 1 })
    const refused: string[] = []
    const waiting: Promise<unknown>[] = []
    const ask = (name: string, network: string, isExpected = false): void => {
      const hashed = passwords.hash(name, { network, isExpected })
      waiting.push(hashed.catch(() => refused.push(name)))
    }
    return {
      ask,
      refused,
      async end() {
        await Promise.all(waiting)
        return work.mock.calls.map(([name]) => name)
      },
    }
  }

  test('a flood from one network keeps nobody else out: all take turns', async () => {
    const { ask, refused, end } = queue()
    for (let n = 0; n < 100; n += 1) ask('flood', 'bad')
    ask('owner', 'elsewhere')
    const order = await end()
    expect(refused).toEqual(Array(100 - 2 - 63).fill('flood'))
    // Behind the two that run, and the one whose turn is next.
    expect(order.indexOf('owner')).toBeLessThan(5)
  })

  test('a flood from any number of networks keeps out nobody who is expected', async () => {
    const { ask, refused, end } = queue()
    for (let n = 0; n < 100; n += 1) ask('flood', `bad ${n}`)
    ask('owner', 'home', true)
    const order = await end()
    expect(new Set(refused)).toEqual(new Set(['flood']))
    expect(order.indexOf('owner')).toBeLessThan(4)
  })

  test('whoever is expected has every second turn, and leaves strangers the others', async () => {
    const { ask, end } = queue()
    for (let n = 0; n < 30; n += 1) ask('expected', 'home', true)
    for (let n = 0; n < 10; n += 1) ask('stranger', 'elsewhere')
    const order = await end()
    const strangers = order.slice(0, 24).filter((name) => name === 'stranger')
    expect(strangers.length).toBeGreaterThan(7)
  })

  test('where there is no room, whoever came last is refused', async () => {
    const { ask, refused, end } = queue()
    const names = Array.from({ length: 70 }, (_, n) => `${n}`)
    for (const name of names) ask(name, 'home')
    expect(await end()).toEqual(names.slice(0, 66))
    expect(refused).toEqual(names.slice(66))
  })

  test('a hash that fails leaves its turn to the next', async () => {
    const passwords = new Passwords(cheap)
    const stored = await passwords.hash('x', HOME)
    const broken = stored.replace('$4$1$1$', '$0$1$1$')
    for (let n = 0; n < 5; n += 1) {
      await expect(passwords.verify('x', broken, HOME)).rejects.toThrow(/scrypt/i)
    }
    expect(await passwords.verify('x', stored, HOME)).toBe(true)
  })

  test('few run at once, and a flood is refused instead of queued without end', async () => {
    const passwords = new Passwords({ log2N: 12, r: 8, p: 1 })
    const all = await Promise.allSettled(
      Array.from({ length: 200 }, () => passwords.hash('x', HOME)),
    )
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBe(200 - 2 - 64)
    expect(await passwords.verify('x', await passwords.hash('x', HOME), HOME)).toBe(true)
  })
})
