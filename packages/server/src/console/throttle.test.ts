// Guessing becomes slow, at one account, from one address or a thousand at once, and no owner is locked out
// by it. The clock is set and waits are written down: no case really waits.
import { expect, test } from 'vitest'
import { type SetClock, setClock } from '../testing/set-clock.ts'
import { ConsoleError } from './errors.ts'
import { Throttle } from './throttle.ts'

function setUp() {
  const clock: SetClock = setClock()
  const waits: number[] = []
  const throttle = new Throttle(clock, async (ms) => {
    waits.push(Math.round(ms))
  })
  const attempt = async (account: string, address: string, succeeded = false) => {
    const before = waits.length
    const outcome = await throttle
      .attempt({ account, address }, async () => ({ succeeded, result: 'ran' }))
      .catch((error: unknown) => Object(error).code)
    return { outcome, waitMs: waits[before] ?? 0 }
  }
  /** What a try is refused with. */
  const refusal = (account: string) =>
    throttle
      .attempt({ account, address: 'any' }, async () => ({ succeeded: false, result: undefined }))
      .catch((error: unknown) => error)
  const thrown = (error: Error) => (account: string, address: string) =>
    throttle
      .attempt({ account, address }, () => Promise.reject(error))
      .catch((caught: unknown) => Object(caught).code)
  /** A try for which there is no room to compare its password. */
  const crowd = thrown(new ConsoleError('TOO_MANY_ATTEMPTS'))
  const breakOff = thrown(new Error('The database is away.'))
  const familiarity = (account: string, address: string) =>
    throttle.attempt({ account, address }, async (isFamiliar) => ({
      succeeded: true,
      result: isFamiliar,
    }))
  return { clock, throttle, attempt, refusal, crowd, breakOff, familiarity }
}

test('a few failures cost nothing, then each try waits longer, up to a bound', async () => {
  const { clock, attempt } = setUp()
  const waited: number[] = []
  for (let n = 0; n < 14; n += 1) {
    const { waitMs, outcome } = await attempt('anna', `address ${n}`)
    expect(outcome).toBe('ran')
    waited.push(waitMs)
    clock.pass(waitMs)
  }
  expect(waited.slice(0, 8)).toEqual([0, 0, 0, 0, 250, 500, 1000, 2000])
  expect(Math.max(...waited)).toBe(8000)
})

test('of a thousand tries at once a few run, and the others are told to come back', async () => {
  const { attempt } = setUp()
  const all = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => attempt('anna', `address ${n}`)),
  )
  const ran = all.filter(({ outcome }) => outcome === 'ran')
  expect(ran.length).toBeLessThan(14)
  expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(['ran', 'TOO_MANY_ATTEMPTS']))
})

test('a try that is refused is told when its turn would come', async () => {
  const { clock, attempt, refusal } = setUp()
  await Promise.all(Array.from({ length: 20 }, (_, n) => attempt('anna', `address ${n}`)))
  // Turns that wait a quarter of a second, and twice as long each, up to eight seconds, are behind it.
  expect(await refusal('anna')).toMatchObject({ retryAfterSeconds: 32 })
  clock.pass(1_000)
  expect(await refusal('anna')).toMatchObject({ retryAfterSeconds: 31 })
})

test('one address that tries many accounts is slowed down too', async () => {
  const { attempt, clock } = setUp()
  let waited = 0
  for (let n = 0; n < 20; n += 1) {
    const { waitMs } = await attempt(`account ${n}`, 'one')
    clock.pass(waitMs)
    waited += waitMs
  }
  expect(waited).toBeGreaterThan(10_000)
  expect((await attempt('somebody', 'another')).waitMs).toBe(0)
})

test('nobody is locked out: after waiting, the owner gets in, and is free again', async () => {
  const { attempt, clock } = setUp()
  for (let n = 0; n < 10; n += 1) clock.pass((await attempt('anna', `bad ${n}`)).waitMs)
  const { outcome, waitMs } = await attempt('anna', 'home', true)
  expect(outcome).toBe('ran')
  expect(waitMs).toBeLessThanOrEqual(8000)
  clock.pass(waitMs)
  expect(await attempt('anna', 'home', true)).toEqual({ outcome: 'ran', waitMs: 0 })
})

test('whoever attacks an account from elsewhere does not delay its owner at home', async () => {
  const { attempt } = setUp()
  await attempt('anna', 'home', true)
  await Promise.all(Array.from({ length: 200 }, (_, n) => attempt('anna', `bad ${n}`)))
  expect(await attempt('anna', 'home', true)).toEqual({ outcome: 'ran', waitMs: 0 })
  expect((await attempt('anna', 'elsewhere', true)).outcome).toBe('TOO_MANY_ATTEMPTS')
})

test('whoever mistypes and then gets in has as many free tries as before', async () => {
  const { clock, attempt } = setUp()
  await attempt('anna', 'home', true)
  for (let round = 0; round < 3; round += 1) {
    clock.pass(1_000)
    for (let n = 0; n < 3; n += 1) expect((await attempt('anna', 'home')).waitMs).toBe(0)
    expect((await attempt('anna', 'home', true)).waitMs).toBe(0)
  }
})

test('a success elsewhere does not free the address that guesses', async () => {
  const { clock, attempt } = setUp()
  const waited: number[] = []
  for (let n = 0; n < 16; n += 1) {
    for (const [account, succeeds] of [
      [`victim ${n}`, false],
      ['own account', true],
    ] as const) {
      const { waitMs } = await attempt(account, 'bad', succeeds)
      clock.pass(waitMs)
      if (!succeeds) waited.push(waitMs)
    }
  }
  expect(waited.slice(0, 11)).toEqual(Array(11).fill(0))
  expect(waited.at(-1)).toBeGreaterThan(1_000)
})

test('a try that was refused for want of room is no failure, of its account and of its address', async () => {
  const { attempt, crowd } = setUp()
  for (let n = 0; n < 40; n += 1) expect(await crowd('anna', 'home')).toBe('TOO_MANY_ATTEMPTS')
  expect(await attempt('anna', 'home')).toEqual({ outcome: 'ran', waitMs: 0 })
  // Those that failed before stay what they are.
  for (let n = 0; n < 4; n += 1) await attempt('berta', `address ${n}`)
  await crowd('berta', 'another')
  expect((await attempt('berta', 'yet another')).waitMs).toBe(250)
})

test('a try that was refused for want of room leaves those where they are that had their turn behind it', async () => {
  const { attempt, crowd } = setUp()
  for (let n = 0; n < 4; n += 1) await attempt('anna', `address ${n}`)
  const refused = crowd('anna', 'another')
  const behind = attempt('anna', 'yet another')
  expect([await refused, (await behind).waitMs]).toEqual(['TOO_MANY_ATTEMPTS', 750])
  expect((await attempt('anna', 'the last')).waitMs).toBe(1_750)
})

test('a try that breaks off for another reason is a failure', async () => {
  const { attempt, breakOff } = setUp()
  for (let n = 0; n < 4; n += 1) await breakOff('anna', `address ${n}`)
  expect((await attempt('anna', 'home')).waitMs).toBe(250)
})

test('a try that finds no room after its account got in leaves as many free tries as before', async () => {
  const { attempt, throttle } = setUp()
  const crowded = throttle.attempt({ account: 'anna', address: 'one' }, async () => {
    await attempt('anna', 'home', true)
    throw new ConsoleError('TOO_MANY_ATTEMPTS')
  })
  await expect(crowded).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
  const waited: number[] = []
  for (let n = 0; n < 5; n += 1) waited.push((await attempt('anna', `address ${n}`)).waitMs)
  expect(waited).toEqual([0, 0, 0, 0, 250])
})

test('what is tried is told whether its account signed in from there before', async () => {
  const { attempt, familiarity } = setUp()
  expect(await familiarity('anna', 'home')).toBe(false)
  await attempt('anna', 'home', true)
  expect(await familiarity('anna', 'home')).toBe(true)
  expect(await familiarity('anna', 'elsewhere')).toBe(false)
  expect(await familiarity('berta', 'home')).toBe(false)
})

test('failures are forgotten after a quarter of an hour', async () => {
  const { clock, attempt } = setUp()
  const five = async (): Promise<number[]> => {
    const waited: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const { waitMs } = await attempt('anna', 'address')
      waited.push(waitMs)
      clock.pass(waitMs)
    }
    return waited
  }
  const first = await five()
  expect(first).toEqual([0, 0, 0, 0, 250])
  clock.pass(15 * 60_000)
  expect(await five()).toEqual(first)
})

test('as long as somebody goes on failing, nothing is forgotten', async () => {
  const { clock, attempt } = setUp()
  for (let n = 0; n < 5; n += 1) clock.pass((await attempt('anna', 'address')).waitMs)
  for (let n = 0; n < 3; n += 1) {
    clock.pass(14 * 60_000)
    await attempt('anna', 'address')
  }
  expect((await attempt('anna', 'address')).waitMs).toBeGreaterThan(1_000)
})
