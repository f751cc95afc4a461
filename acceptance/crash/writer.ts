/**
 * One of several concurrent writers: it creates and deletes its own records, one request at a time,
 * until the server is gone, and notes in the ledger what was answered. So at most its last request
 * has an unknown outcome.
 */
import { randomUUID } from 'node:crypto'
import { type Caller, call } from './caller.ts'
import type { Entry, Kind, Ledger } from './ledger.ts'
import type { Random } from './random.ts'

interface WriterOptions {
  readonly caller: Caller
  readonly ledger: Ledger
  readonly random: Random
  /** Names the writer in this cycle; its memories belong to this user. */
  readonly name: string
  readonly cycle: number
  readonly onAcknowledged: () => void
}

/** Resolves when the server no longer answers. Throws for an answer that no crash explains. */
export async function write(options: WriterOptions): Promise<void> {
  const { random } = options
  const own: Entry[] = []
  for (let count = 0; ; count += 1) {
    const alive = own.filter(({ expected }) => expected === 'present')
    const doomed = random.below(4) === 0 ? random.pick(alive) : undefined
    const goesOn = doomed
      ? await remove(options, doomed)
      : await create(options, own, entryFor(options, alive, `${options.name}n${count}`))
    if (!goesOn) return
  }
}

type NewEntry = Parameters<Ledger['add']>[0]

function entryFor({ random, name, cycle }: WriterOptions, alive: Entry[], mark: string): NewEntry {
  const entities = alive.filter(({ kind }) => kind === 'entities')
  const kinds: Kind[] = ['memories', 'memories', 'entities', 'relations']
  const kind = entities.length === 0 ? kinds[random.below(3)] : random.pick(kinds)
  const common = {
    mark,
    touched: cycle,
    idempotencyKey: random.below(3) === 0 ? randomUUID() : undefined,
    ends: [],
  }
  const metadata = { mark, list: [1, null, '🙂'] }
  if (kind === 'relations') {
    const ends = [random.pick(entities), random.pick(entities)].flatMap((end) => end ?? [])
    const [sourceId, targetId] = ends.map(({ answered }) => answered?.id)
    const body = { sourceId, targetId, type: mark, metadata }
    return { ...common, kind, body, ends: ends.map((end) => end.mark) }
  }
  if (kind === 'entities') {
    return { ...common, kind, body: { name: mark, type: 'OTHER', description: mark, metadata } }
  }
  const content = `${mark} ${'likes tea and rain. '.repeat(1 + random.below(4))}`
  const body = { content, userId: name, tags: [mark, 'crash'], metadata }
  return { ...common, kind: 'memories', body }
}

async function create(
  { caller, ledger, onAcknowledged }: WriterOptions,
  own: Entry[],
  fresh: NewEntry,
): Promise<boolean> {
  const entry = ledger.add(fresh)
  own.push(entry)
  ledger.sentOperations += 1
  const reply = await call(caller, 'POST', entry.kind, entry)
  if (reply === undefined) return false
  acknowledge(ledger, entry, reply)
  onAcknowledged()
  return true
}

/** Notes a create that was answered; throws for any other answer than 201. */
export function acknowledge(
  ledger: Ledger,
  entry: Entry,
  { status, body }: { status: number; body: unknown },
): void {
  if (status !== 201 || typeof body !== 'object' || body === null || !('id' in body)) {
    throw new Error(`create ${entry.mark} answered ${status} ${JSON.stringify(body)}`)
  }
  entry.answered = { ...body, id: String(body.id) }
  entry.expected = 'present'
  ledger.acknowledgedWrites += 1
}

async function remove(
  { caller, ledger, cycle, onAcknowledged }: WriterOptions,
  entry: Entry,
): Promise<boolean> {
  entry.touched = cycle
  ledger.expectCascade(entry, 'either')
  ledger.sentOperations += 1
  const reply = await call(caller, 'DELETE', `${entry.kind}/${entry.answered?.id}`)
  if (reply === undefined) return false
  if (reply.status !== 200) {
    throw new Error(`delete ${entry.mark} answered ${reply.status} ${JSON.stringify(reply.body)}`)
  }
  ledger.expectCascade(entry, 'absent')
  ledger.acknowledgedWrites += 1
  onAcknowledged()
  return true
}
