/**
 * The crash test: concurrent writers over HTTP, SIGKILL at a random moment, a look into the file, a
 * start on the same folder, and a check of every acknowledgement; again and again. What a power cut
 * does beyond that is not seen here; the pragmas that count then are checked beside the store.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { issueKey } from '../harness/keys.ts'
import {
  freshDataDir,
  removeDataDir,
  type ServerProcess,
  startServer,
} from '../harness/server-process.ts'
import type { Caller } from './caller.ts'
import { databaseFindings } from './database-check.ts'
import { Ledger } from './ledger.ts'
import { Random } from './random.ts'
import { type Violations, verify } from './verification.ts'
import { write } from './writer.ts'

interface CrashOptions {
  readonly cycles: number
  readonly seed: number
  readonly onProgress?: (line: string) => void
}

interface CrashReport {
  readonly cycles: number
  readonly acknowledged: number
  readonly unknownThatPersisted: number
  readonly violations: Violations & { readonly database: string[] }
}

const WRITERS = 8
const KILL_WITHIN_MS = 250
/** After so many cycles the writers get a new key, so that what is checked stays small. */
const CYCLES_OF_A_KEY = 10
const QUIET_AND_SMALL = { MNEMOGRAPH_EMBEDDING_WORKERS: '1', MNEMOGRAPH_LOG_LEVEL: 'error' }

export async function crashCycles({
  cycles,
  seed,
  onProgress = () => undefined,
}: CrashOptions): Promise<CrashReport> {
  const random = new Random(seed)
  const spaces: { key: string; ledger: Ledger }[] = []
  const violations = { lost: [], resurrected: [], half: [], usage: [], database: [] }
  const report = { cycles, acknowledged: 0, unknownThatPersisted: 0, violations }
  const [dataDir, compileCache] = [await freshDataDir(), await freshDataDir()]
  const start = () => startServer(dataDir, { ...QUIET_AND_SMALL, NODE_COMPILE_CACHE: compileCache })
  const newSpace = async () => {
    const { key } = await issueKey(dataDir)
    spaces.push({ key, ledger: new Ledger() })
  }
  let server: ServerProcess | undefined
  try {
    await newSpace()
    // A first process that is not killed leaves its compiled code to the next ones.
    server = await start()
    await server.stop()
    server = await start()
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      if (cycle > 0 && cycle % CYCLES_OF_A_KEY === 0) await newSpace()
      const space = spaces.at(-1)
      if (space === undefined) throw new Error('There is no key')
      const { key, ledger } = space
      await writeUntilKilled(server, { url: server.url, key }, { ledger, random, cycle })
      add(violations.database, databaseFindings(dataDir))
      server = await start()
      const isTouched = (entry: { touched: number }) => entry.touched === cycle
      merge(report, await verify({ url: server.url, key }, ledger, isTouched))
      onProgress(`cycle ${cycle + 1}: ${ledger.acknowledgedWrites} acknowledged with this key`)
    }
    for (const { key, ledger } of spaces) {
      merge(report, await verify({ url: server.url, key }, ledger, () => true))
      report.acknowledged += ledger.acknowledgedWrites
    }
    return report
  } finally {
    await server?.stop('SIGKILL')
    await removeDataDir(dataDir)
    await removeDataDir(compileCache)
  }
}

async function writeUntilKilled(
  server: ServerProcess,
  caller: Caller,
  { ledger, random, cycle }: { ledger: Ledger; random: Random; cycle: number },
): Promise<void> {
  const { promise: firstAnswer, resolve: onAcknowledged } = Promise.withResolvers<void>()
  const writers = Array.from({ length: WRITERS }, (_, index) => {
    const name = `c${cycle}w${index}`
    const own = new Random(random.below(2 ** 31))
    return write({ caller, ledger, random: own, name, cycle, onAcknowledged })
  })
  const writing = Promise.all(writers)
  await Promise.race([firstAnswer, writing])
  await Promise.race([wait(random.below(KILL_WITHIN_MS)), writing])
  await server.stop('SIGKILL')
  await writing
}

type Mutable = { acknowledged: number; unknownThatPersisted: number; violations: Violations }

function merge(
  report: Mutable,
  { violations, unknownThatPersisted }: Awaited<ReturnType<typeof verify>>,
) {
  report.unknownThatPersisted += unknownThatPersisted
  add(report.violations.lost, violations.lost)
  add(report.violations.resurrected, violations.resurrected)
  add(report.violations.half, violations.half)
  add(report.violations.usage, violations.usage)
}

/** Each finding once: what is lost stays so in every later cycle. */
function add(all: string[], found: readonly string[]): void {
  for (const finding of found) if (!all.includes(finding)) all.push(finding)
}
