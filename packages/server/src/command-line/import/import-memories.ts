// `mnemograph import --url`: sends a file of memories, one a line as JSON, to a running server. It can
// be stopped and killed at any moment; within a day, the same command goes on where it was. What it has stored
// is known by the API key that it had.
// decisions/2026-11-21-bulk-import.md
import { createReadStream, statSync } from 'node:fs'
import { CommandFailure, LostLines, RefusedKey } from '../failure.ts'
import { explainedFile, folderFailure, STANDARD_STREAM } from '../input-file.ts'
import { type KeyPlace, otherKey, readKey } from '../key-place.ts'
import { Progress } from '../progress.ts'
import { onStopSignal } from '../stop-signal.ts'
import { type LineRange, lineRangesText } from './remote-import/line-ranges.ts'
import { type ChosenLines, countLines, memoryLines } from './remote-import/memory-lines.ts'
import { openRefusals } from './remote-import/refusals.ts'
import { MemorySender } from './remote-import/send-memories.ts'

const GO_ON =
  'What is done is kept: within a day and with the same key, the same command goes on where it was.'
/** A run that is refused at once has done nothing, and knows of no run before it. */
const OF_ANOTHER_KEY =
  'If a run before this one has stored lines with another key, add the --from-line that it told.'

type ImportMemoriesFlags = {
  url: string
  keyPlace: KeyPlace
  chosen: ChosenLines
  /** For refused lines; the first ones are told on stderr otherwise. */
  refusedFile: string | undefined
}

/** Throws a CommandFailure unless every line is in the store. */
export async function importMemoriesCommand(
  file: string,
  { url, keyPlace, chosen, refusedFile }: ImportMemoriesFlags,
): Promise<void> {
  const server = { url, key: readKey(keyPlace) }
  const all = await countOf(file, chosen)
  const source = file === STANDARD_STREAM ? process.stdin.fd : file
  const { keyFile } = keyPlace
  const reads = keyFile === undefined ? [source] : [source, keyFile]
  const refusals = await openRefusals(refusedFile, { reads, people: process.stderr })
  const stop = onStopSignal()
  const input = file === STANDARD_STREAM ? process.stdin : createReadStream(file)
  // A pipe may stay silent for ever.
  stop.addEventListener('abort', () => input.destroy())
  const progress = new Progress(process.stderr)
  const sender = new MemorySender(server, memoryLines(input, chosen), {
    chosen,
    stop,
    onProgress: ({ created, repeated, refused }) => {
      const aside = refused === 0 ? '' : `, ${refused} refused`
      progress.show(created + repeated + refused, all, aside)
    },
    onRefused: (refused) => refusals.add(refused),
    onWait: (reason) => progress.heldUp(`Waiting for the server: ${reason}`),
  })
  let failure: unknown
  try {
    await sender.send()
  } catch (error) {
    failure =
      error instanceof RefusedKey
        ? new RefusedKey(`${error.message} ${otherKey(keyPlace)}`)
        : explainedFile(error, file)
  } finally {
    input.destroy()
    progress.end()
  }
  const { created, repeated, refused } = sender.sent
  process.stderr.write(`Imported: ${created}. There already: ${repeated}. Refused: ${refused}.\n`)
  await refusals.close()
  failure ??= shortfall(sender)
  if (failure !== undefined) throw withWayOn(failure, sender)
}

/** A failure that says how the rest of the lines gets in, too. */
function withWayOn(failure: unknown, sender: MemorySender): unknown {
  const { nextLine, exceptBehind, unanswered } = sender
  if (failure instanceof LostLines) return new CommandFailure(`${failure.message} ${GO_ON}`)
  if (!(failure instanceof CommandFailure) || nextLine === undefined) return failure
  if (failure instanceof RefusedKey && sender.hasDecidedNothing) {
    return new CommandFailure(`${failure.message} ${OF_ANOTHER_KEY}`)
  }
  const except = exceptBehind.length === 0 ? '' : ` --except ${lineRangesText(exceptBehind)}`
  return new CommandFailure(
    `${failure.message} ${GO_ON} Later than that, or with another key, add --from-line ${nextLine}${except}.` +
      mayBeStored(unanswered),
  )
}

function mayBeStored(unanswered: LineRange | undefined): string {
  if (unanswered === undefined) return ''
  const { from, to } = unanswered
  const lines = from === to ? `Line ${from}` : `Some of the lines ${from} to ${to}`
  return ` ${lines} may be stored: the connection broke before they were answered.`
}

/** Undefined for what can be read only once. */
async function countOf(file: string, chosen: ChosenLines): Promise<number | undefined> {
  if (file === STANDARD_STREAM) return undefined
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw folderFailure(file)
    return stats.isFile() ? await countLines(createReadStream(file), chosen) : undefined
  } catch (error) {
    throw explainedFile(error, file)
  }
}

/** What kept the lines from being stored all of them, if anything did. */
function shortfall({ sent, nextLine }: MemorySender): CommandFailure | undefined {
  const { refused, failed, exhausted } = sent
  if (exhausted !== undefined) {
    const { line, error } = exhausted
    return new CommandFailure(
      `The monthly quota of the key is used up at line ${line}. It begins anew at ${error['resetAt']}. ` +
        'Where the server runs, "mnemograph keys change" gives the key another plan.',
    )
  }
  if (nextLine !== undefined) return new CommandFailure('Stopped.')
  if (refused === 0) return undefined
  const told = refused === 1 ? 'One line was refused.' : `${refused} lines were refused.`
  if (failed === 0) return new CommandFailure(told)
  return new CommandFailure(
    `${told} At ${failed} of them the server failed, for a reason of its own. ${GO_ON}`,
  )
}
