/**
 * Holds a restarted server to the ledger: what was acknowledged is there whole and searchable, what
 * was deleted stays away, and what nobody knows is either whole or absent. Afterwards the ledger
 * says of each record what was found.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Caller, callRunning } from './caller.ts'
import type { Answered, Entry, Kind, Ledger } from './ledger.ts'
import { type Item, type Observation, observe, searchedIds } from './observation.ts'
import { acknowledge } from './writer.ts'

export interface Violations {
  readonly lost: string[]
  readonly resurrected: string[]
  readonly half: string[]
  readonly usage: string[]
}

interface Verification {
  readonly violations: Violations
  readonly unknownThatPersisted: number
}

const KINDS: readonly Kind[] = ['memories', 'entities', 'relations']

/** `isRecent` chooses the records that are also fetched one by one, and searched for. */
export async function verify(
  caller: Caller,
  ledger: Ledger,
  isRecent: (entry: Entry) => boolean,
): Promise<Verification> {
  const violations: Violations = { lost: [], resurrected: [], half: [], usage: [] }
  await checkUsage(caller, ledger, violations)
  await repeatUnanswered(caller, ledger)
  const seen = await observe(caller, ledger)
  violations.half.push(...seen.miscounted)
  const unknownThatPersisted = resolveUnknown(ledger, seen, violations)
  const recent = ledger.entries.filter(isRecent)
  checkLists(ledger, seen, violations)
  checkEnds(seen, violations)
  for (const entry of recent) await checkOne(caller, ledger, entry, violations)
  for (const userId of new Set(recent.flatMap(userOf))) {
    await checkSearch(caller, ledger, seen, userId, violations)
  }
  return { violations, unknownThatPersisted }
}

/** Read from the headers of a list of entities, which is not counted itself. */
async function checkUsage(caller: Caller, ledger: Ledger, { usage }: Violations): Promise<void> {
  const { used } = await callRunning(caller, 'GET', 'entities?limit=1')
  const { acknowledgedWrites, sentOperations } = ledger
  if (used >= acknowledgedWrites && used <= sentOperations) return
  usage.push(`${used} used, ${acknowledgedWrites} acknowledged, ${sentOperations} sent`)
}

/** With its Idempotency-Key, a create without an answer can be repeated and still happens once. */
async function repeatUnanswered(caller: Caller, ledger: Ledger): Promise<void> {
  for (const entry of ledger.entries) {
    if (entry.answered || entry.expected !== 'either' || !entry.idempotencyKey) continue
    ledger.sentOperations += 1
    acknowledge(ledger, entry, await callRunning(caller, 'POST', entry.kind, entry))
  }
}

/** Finds out what became of requests without an answer, and of listed records that nobody made. */
function resolveUnknown(ledger: Ledger, seen: Observation, { half, lost }: Violations): number {
  let persisted = 0
  const known = new Set(ledger.entries.map(({ answered }) => answered?.id))
  for (const kind of KINDS) {
    for (const item of seen[kind].values()) {
      if (known.has(item.id)) continue
      const entry = ledger.entries.find((each) => each.kind === kind && isMadeBy(item, each))
      if (entry === undefined || entry.answered || entry.expected !== 'either') {
        half.push(`${kind} ${item.id} is what no request made, or made twice`)
        continue
      }
      entry.answered = { ...item, metadata: entry.body['metadata'] }
      persisted += 1
    }
  }
  for (const entry of ledger.entries) {
    if (entry.expected !== 'either') continue
    const isThere = entry.answered !== undefined && seen[entry.kind].has(entry.answered.id)
    const leader = ledger.entries.find(({ mark }) => mark === entry.follows)
    const leads = leader?.answered !== undefined && seen.entities.has(leader.answered.id)
    if (leads && !isThere) lost.push(`${entry.mark} went without the entity that it follows`)
    entry.expected = isThere ? 'present' : 'absent'
  }
  return persisted
}

function isMadeBy(item: Item, { kind, mark, body }: Entry): boolean {
  if (kind === 'memories') return item['content'] === body['content']
  return item[kind === 'entities' ? 'name' : 'type'] === mark
}

function checkLists(ledger: Ledger, seen: Observation, { lost, resurrected, half }: Violations) {
  for (const { kind, mark, expected, answered } of ledger.entries) {
    const item = answered && seen[kind].get(answered.id)
    if (expected === 'present' && item === undefined) lost.push(`${kind} ${mark}`)
    if (expected === 'absent' && item !== undefined) resurrected.push(`${kind} ${mark}`)
    if (answered && item && !isShownBy(item, answered)) half.push(`${kind} ${mark} has changed`)
  }
}

/** A list shows all fields but the metadata, and the ends of a relation besides. */
const isShownBy = (item: Item, { metadata: _, ...answered }: Answered): boolean =>
  Object.entries(answered).every(([name, value]) => isDeepStrictEqual(item[name], value))

function checkEnds(seen: Observation, { half }: Violations): void {
  for (const relation of seen.relations.values()) {
    for (const [id, end] of [
      [relation['sourceId'], relation['source']],
      [relation['targetId'], relation['target']],
    ]) {
      const entity = seen.entities.get(String(id))
      const shown = { id, name: entity?.['name'], type: entity?.['type'] }
      if (isDeepStrictEqual(end, shown)) continue
      half.push(`relation ${relation.id} has an end that is not there`)
    }
  }
}

async function checkOne(
  caller: Caller,
  ledger: Ledger,
  { kind, mark, expected, answered }: Entry,
  { lost, resurrected, half }: Violations,
): Promise<void> {
  if (answered === undefined) return
  ledger.sentOperations += 1
  const { status, body } = await callRunning(caller, 'GET', `${kind}/${answered.id}`)
  if (expected === 'absent' && status !== 404) resurrected.push(`${kind} ${mark} by its id`)
  if (expected !== 'present') return
  const expanded = { ...Object(body), ...answered }
  if (status !== 200) lost.push(`${kind} ${mark} by its id`)
  else if (!isDeepStrictEqual(body, expanded)) half.push(`${kind} ${mark} has changed, by its id`)
}

const userOf = ({ kind, body }: Entry): string[] =>
  kind === 'memories' ? [String(body['userId'])] : []

async function checkSearch(
  caller: Caller,
  ledger: Ledger,
  seen: Observation,
  userId: string,
  { half }: Violations,
): Promise<void> {
  const listed = [...seen.memories.values()].filter((item) => item['userId'] === userId)
  const found = await searchedIds(caller, ledger, userId)
  for (const { id } of listed) if (!found.has(id)) half.push(`${id} is listed but not found`)
  for (const id of found) if (!seen.memories.has(id)) half.push(`${id} is found but not listed`)
}
