// `mnemograph import`: brings an archive into an empty store. It can be stopped and killed at any
// moment; the same command goes on where it was.
// decisions/2026-11-21-moving.md
import { createReadStream } from 'node:fs'
import type { Config } from '../../config.ts'
import { ArchiveProblem, NotAnArchive, OtherVersion } from '../../core/archive/format.ts'
import { type Imported, ImportStopped, importArchive } from '../../core/archive/import-archive.ts'
import { openArchiveTarget } from '../../store-of-config.ts'
import { isArchive } from '../archive-start.ts'
import { CommandFailure } from '../failure.ts'
import { explainedFile, STANDARD_STREAM } from '../input-file.ts'
import { explainedInterruption, interrupted } from '../interruption.ts'
import { Progress } from '../progress.ts'
import { onStopSignal } from '../stop-signal.ts'

export async function importArchiveCommand(config: Config, file: string): Promise<void> {
  // First of all: beside a running server, advice about the store would be no help for memories.
  if (file !== STANDARD_STREAM) expectArchive(file)
  const target = await openArchiveTarget(config)
  const input = file === STANDARD_STREAM ? process.stdin : createReadStream(file)
  const progress = new Progress(process.stderr, 'records')
  const stop = onStopSignal()
  // A pipe may stay silent for ever. Of what is read to its end nobody hears an error any more, and one that
  // nobody hears ends the process.
  stop.addEventListener('abort', () => {
    if (!input.readableEnded) input.destroy(new ImportStopped())
  })
  try {
    const outcome = await importArchive(input, target, {
      onRecords: (done, all) => progress.show(done, all),
      isStopped: () => stop.aborted,
    })
    await target.close()
    progress.end()
    process.stderr.write(`${report(outcome)}\n`)
  } catch (error) {
    progress.end()
    // What went wrong first is what is told.
    await target.close().catch(() => undefined)
    throw explained(error, file)
  } finally {
    input.destroy()
  }
}

function expectArchive(file: string): void {
  try {
    if (isArchive(file) === false) throw noArchive(file, 'It does not begin as an archive.')
  } catch (error) {
    throw explainedFile(error, file)
  }
}

function report(outcome: Imported): string {
  if (outcome.kind === 'was-imported') {
    return 'This archive is in the store already. Nothing was done.'
  }
  const { key, account, memory, entity, relation } = outcome.counts
  return (
    `The store holds now: keys ${key}, accounts ${account}, memories ${memory}, entities ${entity}, ` +
    `relations ${relation}. Keys work as before; people sign in to the console again.`
  )
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof ImportStopped) return interrupted('Stopped.')
  if (error instanceof NotAnArchive) return noArchive(file, error.message)
  if (error instanceof OtherVersion) {
    return new CommandFailure(`${nameOf(file)} cannot be used. ${error.message}`)
  }
  if (error instanceof ArchiveProblem) {
    return new CommandFailure(
      `${nameOf(file)} cannot be used. ${error.message} Copy it again and go on with it. A new one, made ` +
        'with `mnemograph export`, begins in an empty store: name one with MNEMOGRAPH_DATA_DIR or ' +
        'DATABASE_URL.',
    )
  }
  return explainedFile(explainedInterruption(error), file)
}

const nameOf = (file: string): string =>
  file === STANDARD_STREAM ? 'The archive on stdin' : `The archive ${file}`

const noArchive = (file: string, reason: string): CommandFailure =>
  new CommandFailure(
    `${nameOf(file)} cannot be used. ${reason} Memories as JSON lines are sent to a running server, with ` +
      '--url; records of another service come in with --format.',
  )
