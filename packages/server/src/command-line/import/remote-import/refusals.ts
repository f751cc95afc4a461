// What was refused of an import: the first lines told to people, or each in a file that only its owner
// may read. That file is opened before anything is sent, and never when it is one that the import reads;
// what cannot be written to it later is told to people, so that nothing of the list is lost.
import { constants, fstatSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { UsageFailure } from '../../failure.ts'
import type { Output } from '../../progress.ts'
import type { Refused } from './send-memories.ts'

/** Without a file, as many are told one by one. */
const TOLD_MAX = 50

type Refusals = {
  add(refused: Refused): void
  /** Resolves when everything is where it belongs. */
  close(): Promise<void>
}

/** `reads` are paths and descriptors. Throws a UsageFailure for a file that cannot be written to. */
export async function openRefusals(
  file: string | undefined,
  { reads, people }: { reads: readonly (string | number)[]; people: Output },
): Promise<Refusals> {
  if (file === undefined) return toldRefusals(people)
  return writtenRefusals(file, await openForWriting(file, reads), people)
}

function toldRefusals(people: Output): Refusals {
  const told: string[] = []
  let more = 0
  return {
    add(refused) {
      if (told.length < TOLD_MAX) told.push(sentence(refused))
      else more += 1
    },
    async close() {
      people.write(`${told.join('')}${more > 0 ? `  and ${more} more\n` : ''}`)
    },
  }
}

function writtenRefusals(file: string, handle: FileHandle, people: Output): Refusals {
  const output = handle.createWriteStream()
  let count = 0
  let isBroken = false
  const onBroken = (error: Error): void => {
    if (isBroken) return
    isBroken = true
    people.write(`The file ${file} cannot be written (${error.message}). What it lacks:\n`)
  }
  output.on('error', onBroken)
  return {
    add(refused) {
      count += 1
      const { line, error } = refused
      output.write(`${JSON.stringify({ line, error })}\n`, (failure) => {
        if (!failure) return
        onBroken(failure)
        people.write(sentence(refused))
      })
    },
    async close() {
      output.end()
      // Told already.
      await finished(output).catch(() => undefined)
      if (count > 0 && !isBroken) people.write(`Which ones and why is in ${file}.\n`)
    },
  }
}

const sentence = ({ line, error }: Refused): string =>
  `  line ${line}: ${error['code']}: ${error['message']}\n`

async function openForWriting(
  file: string,
  reads: readonly (string | number)[],
): Promise<FileHandle> {
  let handle: FileHandle | undefined
  try {
    // Emptied only when it is known to be none of those that are read.
    handle = await open(file, constants.O_WRONLY | constants.O_CREAT, 0o600)
    const own = identityOf(handle.fd)
    if (own !== undefined && reads.some((each) => identityOf(each) === own)) {
      throw new UsageFailure(
        `--refused ${file} is a file that is read here: what it holds would be lost. Name another one.`,
      )
    }
    if (own !== undefined) await handle.truncate()
    return handle
  } catch (error) {
    await handle?.close()
    if (error instanceof UsageFailure) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageFailure(`--refused ${file} cannot be written to (${reason}).`)
  }
}

/** The same for every name of a regular file; undefined for anything else. */
function identityOf(file: string | number): string | undefined {
  try {
    const stats =
      typeof file === 'number'
        ? fstatSync(file, { bigint: true })
        : statSync(file, { bigint: true })
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined
  } catch {
    return undefined
  }
}
