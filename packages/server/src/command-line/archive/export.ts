// `mnemograph export`: writes the whole store to a file or to stdout, also while a server uses it.
// No half of an archive is left behind, whatever stops it.
// decisions/2026-11-21-moving.md
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config.ts'
import { archiveText } from '../../core/archive/write-archive.ts'
import { systemClock } from '../../core/clock.ts'
import { errorCodeOf } from '../../error-code.ts'
import { type ArchiveCounts, allOf, noCounts } from '../../storage/archive.ts'
import { StoreError } from '../../storage/store.ts'
import { openArchiveSource } from '../../store-of-config.ts'
import { CommandFailure } from '../failure.ts'
import { STANDARD_STREAM } from '../input-file.ts'
import { Progress } from '../progress.ts'
import { onStopSignal } from '../stop-signal.ts'
import { expectNoFile, writeWhole } from '../whole-file.ts'

export async function exportCommand(config: Config, file: string): Promise<void> {
  if (file !== STANDARD_STREAM) expectNoFile(file)
  const source = await openArchiveSource(config)
  const progress = new Progress(process.stderr, 'records')
  let exported: Readonly<ArchiveCounts> = noCounts()
  const stop = onStopSignal()
  const text = archiveText(source, {
    clock: systemClock,
    onBlock(written) {
      exported = written
      progress.show(allOf(written), allOf(source.counts))
    },
  })
  try {
    if (file !== STANDARD_STREAM) await writeWhole(file, untilStopped(text, stop))
    // Whoever reads may stay silent for ever.
    else await pipeline(Readable.from(text), process.stdout, { signal: stop })
  } catch (error) {
    throw stop.aborted ? stopped() : explained(error, file)
  } finally {
    progress.end()
    await source.close()
    // What nobody took would keep the process from its end. Before it, the failure is told.
    if (stop.aborted) setImmediate(() => process.exit())
  }
  process.stderr.write(`${summary(exported, file)}\n`)
}

async function* untilStopped(
  text: AsyncIterable<string>,
  stop: AbortSignal,
): AsyncGenerator<string> {
  for await (const part of text) {
    if (stop.aborted) throw stopped()
    yield part
  }
}

const stopped = (): CommandFailure => new CommandFailure('Stopped. There is no archive.')

function explained(error: unknown, file: string): unknown {
  if (error instanceof StoreError && error.kind === 'unavailable') {
    return new CommandFailure('The database does not answer any more. There is no archive.')
  }
  if (error instanceof StoreError && error.kind === 'outdated') {
    return new CommandFailure(
      'The vectors of the store were replaced by `mnemograph reembed` meanwhile. There is no archive: ' +
        'run the export again.',
    )
  }
  if (!(error instanceof Error) || errorCodeOf(error) === '') return error
  const place = file === STANDARD_STREAM ? 'stdout' : `the file ${file}`
  return new CommandFailure(`The archive cannot be written to ${place} (${error.message}).`)
}

function summary(
  { key, account, memory, entity, relation }: Readonly<ArchiveCounts>,
  file: string,
): string {
  const place = file === STANDARD_STREAM ? '' : ` to ${file}`
  return (
    `Exported${place}: keys ${key}, accounts ${account}, memories ${memory}, entities ${entity}, ` +
    `relations ${relation}. Sessions and one-time links stay behind. Keep the archive ` +
    'as safe as the store: it holds all texts.'
  )
}
