// `npm run test:move`: moves 100,000 memories from an embedded store to PostgreSQL and on to another embedded
// store, by the commands that people use, and kills each import once half-way. Every record must arrive
// unchanged, and searches must answer the same. Prints how long it took. Without a PostgreSQL it says so, and
// an embedded store takes its place.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import {
  entityOf,
  memoryOf,
  pieceOf,
  queryOf,
  relationOf,
  termOf,
} from '../src/storage/conformance/records.ts'
import { newKey } from '../src/storage/conformance/subject.ts'
import { openPostgresStore } from '../src/storage/postgres/open-store.ts'
import { EXACT_MAX } from '../src/storage/postgres/search/search-size.ts'
import type { SpaceId } from '../src/storage/records.ts'
import { openSqliteStore } from '../src/storage/sqlite/open-store.ts'
import type { Store } from '../src/storage/store.ts'
import { CommandProcess } from '../src/testing/command.ts'
import { hasPostgres, newDatabase, startCluster } from '../src/testing/postgres.ts'

const MEMORIES = Number(process.env['MEMORIES'] ?? 100_000)
const DIMENSION = 384
/** The first one holds half of all memories. */
const SPACES = 51
const AT_ONCE = 2_000
const QUERIES = 10

const folder = mkdtempSync(join(tmpdir(), 'mnemograph-move-'))
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const fail = (error: unknown): never => {
  throw error
}

/** A store: its settings for the commands, and how to open it here. */
type Place = { name: string; settings: Record<string, string>; open: () => Promise<Store> }

function embedded(name: string): Place {
  const directory = join(folder, name)
  return {
    name: `embedded store ${name}`,
    settings: { MNEMOGRAPH_DATA_DIR: directory },
    open: () => openSqliteStore({ directory, onDeath: fail }),
  }
}

function shared(url: string): Place {
  return {
    name: 'PostgreSQL',
    settings: { DATABASE_URL: url },
    open: () =>
      openPostgresStore({
        url,
        durability: 'required',
        connectionsMax: 5,
        onBackgroundError: fail,
        timeouts: { connectMs: 5_000, statementMs: 60_000, lockMs: 5_000 },
      }),
  }
}

/** Numbers that look random and are the same in every run. */
function direction(seed: number): number[] {
  let state = (seed + 1) * 2_654_435_761
  return Array.from({ length: DIMENSION }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return state / 2 ** 31 - 1
  })
}

async function fill(store: Store): Promise<SpaceId[]> {
  const model = { id: 'test', dimension: DIMENSION, piecesVersion: 2, source: undefined }
  const { number } = await store.generations.adopt(model)
  const spaces: SpaceId[] = []
  for (let made = 0; made < SPACES; made += 1) {
    const key = newKey()
    await store.keys.insert(key)
    spaces.push((await store.keys.findByHash(key.hash))?.spaceId ?? fail('There is no key.'))
  }
  const insert = (made: number): Promise<void> => {
    const place = made % 2 === 0 ? 0 : 1 + (((made - 1) / 2) % (SPACES - 1))
    const content = `Note ${made}: order ${made % 997} of customer ${made % 89} was checked. 𝕏 ü`
    const memory = memoryOf({ content, userId: `u${made % 50}`, tags: [`t${made % 9}`] })
    const pieces = [pieceOf(content, direction(made), { commonness: made / MEMORIES })]
    return store
      .forSpace(spaces[place] ?? fail('There is no space.'))
      .memories.insert(...([memory, pieces, {}, number] as const))
  }
  for (let done = 0; done < MEMORIES; done += AT_ONCE) {
    const many = Math.min(AT_ONCE, MEMORIES - done)
    await Promise.all(Array.from({ length: many }, (_each, index) => insert(done + index)))
  }
  for (const space of spaces) {
    const { entities, relations } = store.forSpace(space)
    const ends = [entityOf(), entityOf()] as const
    for (const end of ends) await entities.insert(end, {})
    await relations.insert(relationOf({ sourceId: ends[0].id, targetId: ends[1].id }), {})
  }
  return spaces
}

async function command(args: string[], { settings, name }: Place): Promise<number> {
  const started = performance.now()
  const { status, stderr } = await new CommandProcess(args, settings).ended()
  if (status !== 0) throw new Error(`${args[0]}, ${name}: ${stderr}`)
  return performance.now() - started
}

async function killedImport(file: string, { settings }: Place): Promise<void> {
  const run = new CommandProcess(['import', file], settings)
  const shows = /^(\d+) of \d+ memories/m
  while (run.child.exitCode === null && !shows.test(run.stderr)) {
    await Promise.race([once(run.child.stderr ?? run.child, 'data'), once(run.child, 'close')])
  }
  run.child.kill('SIGKILL')
  await run.ended()
}

/** A digest of all records together that does not depend on their order, nor on that of their fields. */
async function fingerprint(file: string): Promise<{ records: number; sum: string }> {
  const sum = Buffer.alloc(32)
  let records = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const record: Record<string, unknown> = JSON.parse(line)
    if (!('kind' in record) || 'sha256' in record) continue
    records += 1
    const fields = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
    const digest = createHash('sha256').update(JSON.stringify(fields)).digest()
    for (const [index, byte] of digest.entries()) sum[index] = (sum[index] ?? 0) ^ byte
  }
  return { records, sum: sum.toString('hex') }
}

type Found = { id: string; score: number }[]

async function answersOf({ open }: Place, spaces: SpaceId[]): Promise<Found[]> {
  const store = await open()
  const { number } = (await store.generations.current()) ?? fail('There is no model.')
  const found: Found[] = []
  for (const space of spaces.slice(0, 3)) {
    for (let query = 0; query < QUERIES; query += 1) {
      const asked = queryOf(direction(query * 31), { terms: [termOf('order'), termOf(`${query}`)] })
      const cut = { limit: 10, threshold: 0 }
      const results = await store.forSpace(space).memories.search(asked, {}, cut, number)
      found.push(results.map(({ id, score }) => ({ id, score })))
    }
  }
  await store.close()
  return found
}

const same = (a: Found[], b: Found[]): number =>
  a.filter((found, index) => isDeepStrictEqual(found, b[index])).length

/** The share of the best ten before the move that are found after it. */
function recall(before: Found[], after: Found[]): number {
  const shares = before.map((found, index) => {
    const ids = new Set(after[index]?.map(({ id }) => id))
    return found.filter(({ id }) => ids.has(id)).length / found.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

async function moveOn(from: Place, to: Place, step: number): Promise<string> {
  const file = join(folder, `${step}.jsonl`)
  const exportMs = await command(['export', file], from)
  await killedImport(file, to)
  const importMs = await command(['import', file], to)
  const bytes = statSync(file).size
  const rate = (ms: number): string =>
    `${(ms / 1_000).toFixed(1)} s (${Math.round(MEMORIES / (ms / 1_000))} memories a second)`
  print(`${from.name} -> ${(bytes / 2 ** 20).toFixed(0)} MiB: ${rate(exportMs)}`)
  print(`  -> ${to.name}, after a kill: ${rate(importMs)}`)
  return file
}

async function run(): Promise<void> {
  const cluster = hasPostgres() && !process.env['DATABASE_URL'] ? await startCluster() : undefined
  const server = process.env['DATABASE_URL'] ?? cluster?.url
  try {
    const [first, last] = [embedded('A'), embedded('B')]
    const store = await first.open()
    const started = performance.now()
    const spaces = await fill(store)
    await store.close()
    print(`${MEMORIES} memories made in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
    const database = server === undefined ? undefined : await newDatabase(server)
    if (database === undefined) print('There is no PostgreSQL: embedded stores only.')
    const between = database === undefined ? embedded('between') : shared(database.url)
    const files = [await moveOn(first, between, 1), await moveOn(between, last, 2)]
    const end = join(folder, '3.jsonl')
    await command(['export', end], last)
    const [before, , after] = await Promise.all([...files, end].map(fingerprint))
    const [a, b, c] = [
      await answersOf(first, spaces),
      await answersOf(between, spaces),
      await answersOf(last, spaces),
    ]
    print(`${before?.records} records, ${isDeepStrictEqual(before, after) ? 'the same' : 'OTHERS'}`)
    print(`searches: ${same(a, c)} of ${a.length} the same at the end, ${same(a, b)} between`)
    print(`recall@10 between, in the largest space: ${recall(a.slice(0, QUERIES), b).toFixed(2)}`)
    // In a large space PostgreSQL finds candidates by an index, and may miss some.
    const exact = MEMORIES / 2 > EXACT_MAX && database !== undefined ? a.slice(QUERIES) : a
    const isSame = same(a, c) === a.length && same(exact, b.slice(-exact.length)) === exact.length
    if (!isDeepStrictEqual(before, after) || !isSame) throw new Error('The move was not lossless.')
    await database?.drop()
  } finally {
    await cluster?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

await run()
