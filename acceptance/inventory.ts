/**
 * Every sentence of the contract and every decision, in short words, with the cases that prove
 * it. Ids begin with `spec.` for the contract and `decision.` for what it leaves open; the records
 * in decisions/ give the reasons. inventory.test.ts holds it against the case files, both ways.
 */
import { contractGate } from './inventory/contract-gate.ts'
import { contractRecords } from './inventory/contract-records.ts'
import { decidedGate } from './inventory/decided-gate.ts'
import { decidedHttp } from './inventory/decided-http.ts'
import { decidedRecords } from './inventory/decided-records.ts'
import type { Entry } from './inventory/entry.ts'

export const inventory: readonly Entry[] = [
  ...contractRecords,
  ...contractGate,
  ...decidedGate,
  ...decidedRecords,
  ...decidedHttp,
]
