/**
 * What callers know of their own writes, and what a server shows of them in the end. Every record
 * carries a mark in its text, so that one whose answer never came is recognized.
 */
import { Type } from 'typebox'
import { type Caller, callRunning } from '../crash/caller.ts'
import { read } from '../harness/read.ts'

export type Kind = 'memories' | 'entities'

export interface Entry {
  readonly kind: Kind
  readonly mark: string
  /** Of an answered create. */
  id: string | undefined
  /** 'either' while the last request for it has no answer. */
  expected: 'present' | 'absent' | 'either'
}

export class Ledger {
  readonly entries: Entry[] = []
  acknowledgedCreates = 0
  acknowledgedDeletes = 0
  /** Requests that were refused as unavailable or not answered. */
  unanswered = 0
  /** Creates that were answered when they were repeated with their Idempotency-Key. */
  repeated = 0

  get acknowledged(): number {
    return this.acknowledgedCreates + this.acknowledgedDeletes
  }
}

export interface Findings {
  readonly lost: string[]
  readonly resurrected: string[]
  readonly twice: string[]
  readonly unknown: string[]
}

export const noFindings = (): Findings => ({ lost: [], resurrected: [], twice: [], unknown: [] })

const ItemPage = Type.Object({
  items: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        content: Type.Optional(Type.String()),
        name: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
  ),
  pagination: Type.Object({ totalPages: Type.Number() }, { additionalProperties: true }),
})

/** Holds what a server shows to the ledger. Also tells how many unanswered creates have happened. */
export async function verify(
  caller: Caller,
  { entries }: Ledger,
): Promise<{ findings: Findings; unansweredThatPersisted: number }> {
  const findings = noFindings()
  let unansweredThatPersisted = 0
  const shown = [...(await list(caller, 'memories')), ...(await list(caller, 'entities'))]
  const byId = new Map(shown.map((item) => [item.id, item]))
  const byMark = Map.groupBy(shown, ({ mark }) => mark)
  const marks = new Set(entries.map(({ mark }) => mark))
  for (const { kind, mark, id, expected } of entries) {
    const found = byMark.get(mark) ?? []
    if (found.length > 1) findings.twice.push(`${kind} ${mark}: ${found.length} times`)
    if (id === undefined) unansweredThatPersisted += found.length
    else if (expected === 'present' && byId.get(id)?.mark !== mark) {
      findings.lost.push(`${kind} ${mark}`)
    } else if (expected === 'absent' && found.length > 0) {
      findings.resurrected.push(`${kind} ${mark}`)
    }
  }
  for (const { id, mark } of shown) {
    if (!marks.has(mark)) findings.unknown.push(`${id}, which nobody made`)
  }
  return { findings, unansweredThatPersisted }
}

async function list(caller: Caller, kind: Kind): Promise<{ id: string; mark: string }[]> {
  const items: { id: string; mark: string }[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await callRunning(caller, 'GET', `${kind}?limit=100&page=${page}`)
    const shown = read(ItemPage, body)
    for (const { id, content, name } of shown.items) items.push({ id, mark: content ?? name ?? '' })
    if (page >= shown.pagination.totalPages) return items
  }
}
