// A hash is verified with the parameters that it was made with, and hashing neither holds up the event loop
// nor queues without end. The real cost is paid in one case alone: it takes some hundred milliseconds.

import { scrypt } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { PASSWORD_COST, Passwords } from './passwords.ts'

vi.mock('node:crypto', { spy: true })

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
    const stored = await passwords.hash('correct horse battery')
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(2)
    expect(stored).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.verify('correct horse battery', stored)).toBe(true)
    expect(await passwords.verify('correct horse batterY', stored)).toBe(false)
  })

  test('equal passwords have different hashes, and composition does not matter', async () => {
    const passwords = new Passwords(cheap)
    const [one, two] = [await passwords.hash('caf\u00e9'), await passwords.hash('caf\u00e9')]
    expect(one).not.toBe(two)
    expect(await passwords.verify('cafe\u0301', one)).toBe(true)
  })

  test('where there is no account nothing is right, after the same work', async () => {
    const passwords = new Passwords(cheap)
    const stored = await passwords.hash('x')
    const work = vi.mocked(scrypt)
    const worked = async (password: string, against: string | undefined) => {
      work.mockClear()
      expect(await passwords.verify(password, against)).toBe(false)
      return work.mock.calls.map(([, , bytes, cost]) => [bytes, cost])
    }
    const known = await worked('anything', stored)
    expect(known).toHaveLength(1)
    expect(await worked('', undefined)).toEqual(known)
    expect(await worked('anything', undefined)).toEqual(known)
  })

  test('a hash of other parameters is verified with its own, and known to be outdated', async () => {
    const stored = await new Passwords(cheap).hash('x')
    const today = new Passwords({ log2N: 5, r: 1, p: 1 })
    expect(await today.verify('x', stored)).toBe(true)
    expect(today.isOutdated(stored)).toBe(true)
    expect(new Passwords(cheap).isOutdated(stored)).toBe(false)
  })

  test('few run at once, and a flood is refused instead of queued without end', async () => {
    const passwords = new Passwords({ log2N: 12, r: 8, p: 1 })
    const all = await Promise.allSettled(Array.from({ length: 200 }, () => passwords.hash('x')))
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBe(200 - 2 - 64)
    expect(await passwords.verify('x', await passwords.hash('x'))).toBe(true)
  })
})
