// A record of an archive as a line of JSON, and back. Vectors are base64 of their bytes: exact, and
// a third of the length of decimal numbers.
import { type Static, Type } from 'typebox'
import { ENTITY_TYPES } from '../../contract/entities.ts'
import { PLANS } from '../../contract/plans.ts'
import { fits } from '../../fits.ts'
import { parsedJson } from '../../parsed-json.ts'
import type { ArchivedPiece, ArchiveRecord } from '../../storage/archive.ts'

const Text = Type.String()
const Time = Type.Integer()
const Whole = Type.Integer()
const Plan = Type.Enum(PLANS)
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const Space = Type.Object({ kind: Type.Literal('space'), space: Whole, createdAt: Time })

const Account = Type.Object({
  kind: Type.Literal('account'),
  id: Text,
  email: Text,
  role: Type.Enum(['administrator', 'member']),
  plans: Type.Array(Plan),
  password: Text,
  createdAt: Time,
})

const Key = Type.Object({
  kind: Type.Literal('key'),
  id: Text,
  space: Whole,
  name: Text,
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  plan: Plan,
  readLimit: orNull(Whole),
  writeLimit: orNull(Whole),
  searchLimit: orNull(Whole),
  status: Type.Enum(['active', 'revoked']),
  createdAt: Time,
  lastUsedAt: orNull(Time),
  accountId: orNull(Text),
  prefix: orNull(Text),
  replacesId: orNull(Text),
  purgedAt: orNull(Time),
})

const Usage = Type.Object({
  kind: Type.Literal('usage'),
  keyId: Text,
  month: Text,
  operations: Whole,
})

const Statistics = Type.Object({
  kind: Type.Literal('statistics'),
  keyId: Text,
  day: Text,
  counted: Text,
  count: Whole,
})

const Idempotency = Type.Object({
  kind: Type.Literal('idempotency'),
  keyId: Text,
  idempotencyKey: Text,
  fingerprint: Text,
  recordId: Text,
  createdAt: Time,
})

const Piece = Type.Object({
  start: Whole,
  end: Whole,
  commonness: orNull(Type.Number()),
  terms: orNull(Text),
  vector: Text,
})

const Memory = Type.Object({
  kind: Type.Literal('memory'),
  space: Whole,
  id: Text,
  content: Text,
  userId: Text,
  agentId: orNull(Text),
  tags: Type.Array(Text),
  metadata: orNull(Text),
  createdAt: Time,
  pieces: Type.Array(Piece),
})

const Entity = Type.Object({
  kind: Type.Literal('entity'),
  space: Whole,
  id: Text,
  name: Text,
  type: Type.Enum(ENTITY_TYPES),
  description: orNull(Text),
  metadata: orNull(Text),
  createdAt: Time,
})

const Relation = Type.Object({
  kind: Type.Literal('relation'),
  space: Whole,
  id: Text,
  sourceId: Text,
  targetId: Text,
  type: Text,
  metadata: orNull(Text),
  createdAt: Time,
})

const Line = Type.Union([
  Memory,
  Entity,
  Relation,
  Idempotency,
  Statistics,
  Usage,
  Key,
  Account,
  Space,
])

/** Without a line break: JSON has none outside of white space. */
export const toLine = (record: ArchiveRecord): string =>
  JSON.stringify(record.kind === 'memory' ? withTexts(record) : record)

/** Undefined when the line is no record, or has vectors of another dimension. */
export function fromLine(line: string, dimension: number): ArchiveRecord | undefined {
  const value = parsedJson(line)
  if (!fits(Line, value)) return undefined
  if (value.kind !== 'memory') return value
  const pieces: ArchivedPiece[] = []
  for (const { vector, ...piece } of value.pieces) {
    const bytes = Buffer.from(vector, 'base64')
    if (bytes.length !== dimension * Float32Array.BYTES_PER_ELEMENT) return undefined
    pieces.push({ ...piece, vector: new Float32Array(new Uint8Array(bytes).buffer) })
  }
  return { ...value, pieces }
}

type MemoryRecord = Extract<ArchiveRecord, { kind: 'memory' }>

const withTexts = ({ pieces, ...memory }: MemoryRecord): Static<typeof Memory> => ({
  ...memory,
  pieces: pieces.map(({ vector, ...piece }) => ({ ...piece, vector: toBase64(vector) })),
})

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
