// Any records that an archive may hold, in its order, with the texts and numbers that a careless
// format changes. Whether they refer to each other does not matter to the format.
import fc from 'fast-check'
import { ENTITY_TYPES } from '../../../contract/entities.ts'
import { PLANS } from '../../../contract/plans.ts'
import {
  ARCHIVE_KINDS,
  type ArchiveCounts,
  type ArchiveRecord,
  type ArchiveSource,
} from '../../../storage/archive.ts'
import type { VectorModel } from '../../../storage/generation.ts'

const DIMENSION = 3

export const MODEL: VectorModel = {
  id: 'test',
  dimension: DIMENSION,
  piecesVersion: 2,
  source: { kind: 'local', folder: '/models/test' },
}

// As stores hold them: no lone surrogates.
const text = fc.string({ unit: 'binary', maxLength: 20 })
const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const kind = <Kind extends string>(name: Kind) => fc.constant(name)

const piece = fc.record({
  start: whole,
  end: whole,
  commonness: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)),
  terms: orNull(text),
  // Every pattern of bits, also of what is no number.
  vector: fc
    .uint8Array({ minLength: DIMENSION * 4, maxLength: DIMENSION * 4 })
    .map((bytes) => new Float32Array(new Uint8Array(bytes).buffer)),
})

const record: fc.Arbitrary<ArchiveRecord> = fc.oneof(
  fc.record({ kind: kind('space'), space: whole, createdAt: whole }),
  fc.record({
    kind: kind('account'),
    id: text,
    email: text,
    role: fc.constantFrom('administrator', 'member'),
    plans: fc.subarray([...PLANS]),
    password: text,
    createdAt: whole,
  }),
  fc.record({
    kind: kind('key'),
    id: text,
    space: whole,
    name: text,
    hash: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((b) => Buffer.from(b).toString('hex')),
    plan: fc.constantFrom(...PLANS),
    readLimit: orNull(whole),
    writeLimit: orNull(whole),
    searchLimit: orNull(whole),
    status: fc.constantFrom('active', 'revoked'),
    createdAt: whole,
    lastUsedAt: orNull(whole),
    accountId: orNull(text),
    prefix: orNull(text),
    replacesId: orNull(text),
    purgedAt: orNull(whole),
  }),
  fc.record({ kind: kind('usage'), keyId: text, month: text, operations: whole }),
  fc.record({ kind: kind('statistics'), keyId: text, day: text, counted: text, count: whole }),
  fc.record({
    kind: kind('idempotency'),
    keyId: text,
    idempotencyKey: text,
    fingerprint: text,
    recordId: text,
    createdAt: whole,
  }),
  fc.record({
    kind: kind('memory'),
    space: whole,
    id: text,
    content: text,
    userId: text,
    agentId: orNull(text),
    tags: fc.array(text, { maxLength: 3 }),
    metadata: orNull(text),
    createdAt: whole,
    pieces: fc.array(piece, { maxLength: 3 }),
  }),
  fc.record({
    kind: kind('entity'),
    space: whole,
    id: text,
    name: text,
    type: fc.constantFrom(...ENTITY_TYPES),
    description: orNull(text),
    metadata: orNull(text),
    createdAt: whole,
  }),
  fc.record({
    kind: kind('relation'),
    space: whole,
    id: text,
    sourceId: text,
    targetId: text,
    type: text,
    metadata: orNull(text),
    createdAt: whole,
  }),
)

export const anyRecords = (lengths: { minLength?: number; maxLength: number }) =>
  fc.array(record, lengths)

export function sourceOf(
  records: ArchiveRecord[],
  model: VectorModel | undefined = MODEL,
): ArchiveSource {
  const count = (kind: string): number => records.filter((each) => each.kind === kind).length
  const counts = Object.fromEntries(ARCHIVE_KINDS.map((kind) => [kind, count(kind)]))
  return {
    model,
    // Every kind was counted.
    counts: counts as ArchiveCounts,
    async *records() {
      yield* records
    },
    close: async () => undefined,
  }
}
