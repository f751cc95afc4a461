// The words of `mnemograph import`: which of its three kinds is meant, and that the options fit it.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { IDENTIFIER_LENGTH_MAX } from '../../contract/bounds.ts'
import { boundedText } from '../bounded-text.ts'
import { UsageFailure } from '../failure.ts'
import { fileName } from '../input-file.ts'
import { KEY_OPTIONS, type KeyFlags, keyPlaceOf } from '../key-place.ts'
import { serverAddress } from '../server-address.ts'
import type { ForeignFormat } from './import-foreign.ts'
import { type LineRange, parseLineRanges } from './remote-import/line-ranges.ts'

type ImportFlags = KeyFlags & {
  format?: 'archive' | 'memories' | ForeignFormat
  keyId?: string
  userId?: string
  url?: string
  fromLine?: number
  except?: LineRange[]
  refused?: string
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'bring an archive into an empty store, records of another service into the space of a key, or ' +
        'memories to a running server; it can be stopped and resumed',
    )
    .argument('<file>', 'what to read; - for stdin', fileName)
    .addOption(
      new Option(
        '--format <format>',
        'what the file is; archive, or memories with --url, when nothing is said',
      ).choices(['archive', 'mem0', 'mcp-memory', 'memories']),
    )
    .option('--key-id <id>', 'whose space the records of another service come into')
    .option(
      '--user-id <id>',
      'whose memories they are, where the file does not say',
      boundedText(IDENTIFIER_LENGTH_MAX),
    )
    .option('--url <address>', 'the server that JSON lines of memories are sent to', serverAddress)
    .option(...KEY_OPTIONS[0])
    .option(...KEY_OPTIONS[1])
    .option('--from-line <n>', 'leave out the lines before it', lineNumber)
    .option('--except <lines>', 'leave out these, such as 95,97-101', lineRanges)
    .option(
      '--refused <file>',
      'where to write refused lines, as JSON lines; to stderr otherwise',
      fileName,
    )
    .action(importAction)
}

async function importAction(file: string, flags: ImportFlags): Promise<void> {
  const { url, keyFromEnv, keyFile, fromLine, except, refused, keyId, userId } = flags
  const ofMemories = [url, keyFromEnv, keyFile, fromLine, except, refused]
  const isOfMemories = ofMemories.some((option) => option !== undefined)
  const { format = isOfMemories ? 'memories' : 'archive' } = flags
  if (format === 'memories') return importMemories(file, flags)
  if (isOfMemories) {
    throw new UsageFailure(
      '--url, --key-from-env, --key-file, --from-line, --except and --refused are for memories that are ' +
        'sent to a server.',
    )
  }
  if (format === 'archive') {
    if (keyId !== undefined || userId !== undefined) {
      throw new UsageFailure('An archive is a whole store: --key-id and --user-id are for others.')
    }
    const { importArchiveCommand } = await import('../archive/import-archive.ts')
    await importArchiveCommand(readConfig(), file)
    return
  }
  if (keyId === undefined) {
    throw new UsageFailure(
      'Say with --key-id into whose space it comes. "keys list" shows the ids.',
    )
  }
  const { importForeignCommand } = await import('./import-foreign.ts')
  await importForeignCommand(readConfig(), file, { format, keyId, userId })
}

async function importMemories(file: string, flags: ImportFlags): Promise<void> {
  const { url, fromLine = 1, except = [], refused, keyId, userId } = flags
  if (url === undefined) throw new UsageFailure('Say with --url which server they are sent to.')
  if (keyId !== undefined || userId !== undefined) {
    throw new UsageFailure(
      'Memories come into the space of the API key, each for its own userId: --key-id and --user-id ' +
        'are for others.',
    )
  }
  const keyPlace = keyPlaceOf(flags)
  const { importMemoriesCommand } = await import('./import-memories.ts')
  await importMemoriesCommand(file, {
    url,
    keyPlace,
    chosen: { fromLine, except },
    refusedFile: refused,
  })
}

function lineNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1.')
}

function lineRanges(text: string): LineRange[] {
  const ranges = parseLineRanges(text)
  if (ranges !== undefined) return ranges
  throw new InvalidArgumentError('They must be whole numbers from 1 and ranges, such as 95,97-101.')
}
