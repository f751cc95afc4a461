// What is charged and who is refused where only the store knows what others use: each charge here counts
// three operations, so that a meter which counted by itself would be wrong.
import { expect, test } from 'vitest'
import type { Charge } from '../../storage/shared-limits.ts'
import { type Receipt, StoreError } from '../../storage/store.ts'
import { SharedMeter } from './shared-meter.ts'

const RESET_AT = Date.UTC(2026, 11, 1)

/** Others are at work too: with each charge the store counts three operations. */
function setUp({ used = 0, limit, isFull = false }: Partial<Month> = {}) {
  const charges: Charge[] = []
  const usage = { read: async () => used + 2 }
  const limits = {
    async charge(charge: Charge) {
      charges.push(charge)
      return isFull ? undefined : used + 3
    },
  }
  const charge = { keyId: 'key_1', month: '2026-11', limit }
  const meter = new SharedMeter({ limits, usage }, { charge, resetAtMs: RESET_AT, used })
  let runs = 0
  const work = async (): Promise<string> => {
    runs += 1
    return 'done'
  }
  return { meter, charge, charges, work, runs: () => runs }
}
type Month = { used: number; limit: number; isFull: boolean }

const fail = (error: unknown) => async (): Promise<never> => {
  throw error
}

const EXCEEDED = {
  code: 'QUOTA_EXCEEDED',
  status: 403,
  fields: { currentUsage: 10, limit: 10, resetAt: '2026-12-01T00:00:00.000Z' },
}

test('a read is charged after its work, and tells what was used with it', async () => {
  const { meter, charge, charges, work } = setUp({ used: 4, limit: 10 })
  const result = meter.read(async () => {
    expect(charges).toEqual([])
    return work()
  })
  expect(await result).toBe('done')
  expect(charges).toEqual([charge])
  expect(meter.used).toBe(7)
})

test('a write carries its charge with the limit, and is not charged again', async () => {
  const { meter, charge, charges, work } = setUp({ used: 4, limit: 10 })
  const carried: (Charge | undefined)[] = []
  await meter.write((receipt: Receipt) => {
    carried.push(receipt.charge)
    // Done again after a deadlock, say.
    receipt.onCharged?.(5)
    receipt.onCharged?.(8)
    return work()
  })
  expect([carried, charges, meter.used]).toEqual([[charge], [], 8])
})

test('looking again tells what others were charged, and charges nothing', async () => {
  const { meter, charges } = setUp({ used: 4, limit: 10 })
  await meter.lookAgain()
  expect([charges, meter.used]).toEqual([[], 6])
})

test('work that fails is not charged', async () => {
  const { meter, charges } = setUp({ used: 4, limit: 10 })
  const uncommitted = meter.write(async ({ onCharged }) => {
    onCharged?.(5)
    throw 'failed'
  })
  await expect(uncommitted).rejects.toBe('failed')
  await expect(meter.read(fail('failed'))).rejects.toBe('failed')
  await expect(meter.write(fail('failed'))).rejects.toBe('failed')
  expect([charges, meter.used]).toEqual([[], 4])
})

test('a store that is away has not used up the month', async () => {
  const { meter } = setUp({ used: 4, limit: 10 })
  const unavailable = fail(new StoreError('unavailable', undefined))
  await expect(meter.write(unavailable)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(meter.used).toBe(4)
})

test('a month that is used up costs no work', async () => {
  const { meter, charges, work, runs } = setUp({ used: 10, limit: 10 })
  await expect(meter.read(work)).rejects.toMatchObject(EXCEEDED)
  await expect(meter.write(work)).rejects.toMatchObject(EXCEEDED)
  expect([runs(), charges, meter.used]).toEqual([0, [], 10])
})

test('a month of which more was used than a smaller plan has tells what was used', async () => {
  const { meter, work } = setUp({ used: 12, limit: 10 })
  const fields = { ...EXCEEDED.fields, currentUsage: 12 }
  await expect(meter.read(work)).rejects.toMatchObject({ ...EXCEEDED, fields })
  expect(meter.used).toBe(12)
})

test('a month that others used up meanwhile refuses the result, and tells that it is full', async () => {
  const read = setUp({ used: 4, limit: 10, isFull: true })
  await expect(read.meter.read(read.work)).rejects.toMatchObject(EXCEEDED)
  expect(read.meter.used).toBe(10)
  const write = setUp({ used: 4, limit: 10 })
  const exhausted = fail(new StoreError('exhausted', undefined))
  await expect(write.meter.write(exhausted)).rejects.toMatchObject(EXCEEDED)
  expect(write.meter.used).toBe(10)
})

test('without a limit everything is charged and nothing refused', async () => {
  const { meter, charge, charges, work } = setUp({ used: 1_000_000 })
  expect(await meter.read(work)).toBe('done')
  expect(await meter.write(work)).toBe('done')
  expect([charges, meter.used]).toEqual([[charge], 1_000_003])
})
