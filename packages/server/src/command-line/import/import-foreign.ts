// `mnemograph import --format mem0|mcp-memory`: brings the records of another memory service into the
// space of a key. No server may use the store meanwhile: whoever writes memories holds the folder.
// decisions/2026-11-21-moving.md
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { Memories } from '../../core/memories.ts'
import { ModelInUse } from '../../core/model-in-use.ts'
import { openModelAtStart } from '../../model-of-store.ts'
import type { KeyRecord } from '../../storage/records.ts'
import type { Store } from '../../storage/store.ts'
import { openStore } from '../../store-of-config.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { explainedFile, STANDARD_STREAM } from '../input-file.ts'
import { explainedInterruption, interrupted } from '../interruption.ts'
import { Progress } from '../progress.ts'
import { onStopSignal } from '../stop-signal.ts'
import { type Created, createRecords } from './foreign/create-records.ts'
import type { ForeignFile } from './foreign/foreign-record.ts'
import { parseMcpMemory } from './foreign/mcp-memory.ts'
import { parseMem0 } from './foreign/mem0.ts'

export type ForeignFormat = 'mem0' | 'mcp-memory'

type ForeignFlags = { format: ForeignFormat; keyId: string; userId: string | undefined }

/** Of what was left out, as many are told one by one. */
const TOLD_MAX = 50

export async function importForeignCommand(
  config: Config,
  file: string,
  { format, keyId, userId }: ForeignFlags,
): Promise<void> {
  const found = parse(await contentOf(file), format, userId)
  const fail = (error: unknown): never => {
    throw error
  }
  const store = await openStore(config, { onDeath: fail, onBackgroundError: warn })
  try {
    const key = await keyOf(store, keyId)
    const outcome = await createAll(config, store, key, found)
    report(found, outcome)
  } finally {
    await store.close()
  }
}

const warn = (error: unknown): void => {
  process.stderr.write(`mnemograph: ${String(error)}\n`)
}

async function createAll(
  config: Config,
  store: Store,
  key: KeyRecord,
  { records }: ForeignFile,
): Promise<Created> {
  const opened = await openModelAtStart(config, store.generations, {
    embedder: undefined,
    onOtherPieces: () => undefined,
  })
  const model = new ModelInUse(opened, {
    generations: store.generations,
    open: opened.open,
    onFailure: warn,
  })
  const stop = onStopSignal()
  const progress = new Progress(process.stderr, 'records')
  try {
    const outcome = await createRecords(
      { memories: new Memories(model), clock: systemClock },
      store.forSpace(key.spaceId),
      records,
      {
        onProgress: (done) => progress.show(done, records.length),
        onAway: ({ reason }) => progress.heldUp(`Waiting for the model: ${reason}`),
        stop,
      },
    )
    if (stop.aborted) throw interrupted('Stopped.')
    return outcome
  } catch (error) {
    throw stop.aborted ? interrupted('Stopped.') : explainedInterruption(error)
  } finally {
    progress.end()
    await model.close()
  }
}

function parse(content: string, format: ForeignFormat, userId: string | undefined): ForeignFile {
  if (format === 'mem0') return parseMem0(content, userId)
  if (userId !== undefined) return parseMcpMemory(content, userId)
  throw new UsageFailure(
    'The memory server does not know users: say with --user-id whose memories its observations become.',
  )
}

/** What is no UTF-8 would come in with its characters replaced. */
async function contentOf(file: string): Promise<string> {
  try {
    const bytes = file === STANDARD_STREAM ? await buffer(process.stdin) : await readFile(file)
    if (isUtf8(bytes)) return bytes.toString('utf8')
  } catch (error) {
    throw explainedFile(error, file)
  }
  throw new UsageFailure('The file is not UTF-8. Save it as UTF-8, then import it.')
}

async function keyOf(store: Store, id: string): Promise<KeyRecord> {
  const key = (await store.keys.list()).find((each) => each.id === id)
  if (key === undefined) throw new CommandFailure(`There is no key with the id ${id}.`)
  if (key.status === 'active') return key
  throw new CommandFailure(`The key ${id} is revoked. Name the key that has its space now.`)
}

/** Throws a CommandFailure when something was left out: a script should notice. */
function report({ leftOut: unreadable }: ForeignFile, outcome: Created): void {
  const { created, wereThere } = outcome
  const leftOut = [...unreadable, ...outcome.leftOut]
  process.stderr.write(
    `Created: ${created}. There already: ${wereThere}. Left out: ${leftOut.length}.\n`,
  )
  if (leftOut.length === 0) return
  const told = leftOut.slice(0, TOLD_MAX).map((line) => `\n  ${line}`)
  const more = leftOut.length > TOLD_MAX ? `\n  and ${leftOut.length - TOLD_MAX} more` : ''
  throw new CommandFailure(`These were left out:${told.join('')}${more}`)
}
