// An archive comes back exactly as it was, or is refused: one that is damaged, cut or exchanged never passes
// for it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../../storage/archive.ts'
import type { VectorModel } from '../../storage/generation.ts'
import { setClock } from '../../testing/set-clock.ts'
import {
  ArchiveProblem,
  BLOCK_CHARACTERS_MAX,
  BLOCK_RECORDS_MAX,
  CHECKSUM_START,
  checksumLine,
  endLine,
  RunningChecksum,
} from './format.ts'
import { ImportStopped, importArchive } from './import-archive.ts'
import { linesOf } from './lines.ts'
import { fromLine, toLine } from './record-lines.ts'
import { anyRecords, MODEL, sourceOf } from './testing/arbitrary-records.ts'
import { Target } from './testing/target.ts'
import { archiveText } from './write-archive.ts'

const IGNORED = { onRecords: () => undefined, isStopped: () => false }

async function archiveOf(records: ArchiveRecord[], model?: VectorModel): Promise<Buffer> {
  const text = archiveText(sourceOf(records, model), {
    clock: setClock(1_700_000_000_000),
    onBlock: () => undefined,
  })
  return Buffer.from((await Array.fromAsync(text)).join(''))
}

/** In chunks of some size, as a file or a pipe brings them. */
async function* streamOf(bytes: Buffer, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const small = { numRuns: 60 }

test('any records come back exactly as they were, whatever the chunks they arrive in', async () => {
  const chunk = fc.integer({ min: 1, max: 5_000 })
  await fc.assert(
    fc.asyncProperty(anyRecords({ maxLength: 40 }), chunk, async (records, size) => {
      const target = new Target()
      await importArchive(streamOf(await archiveOf(records), size), target, IGNORED)
      expect(target.records).toEqual(records)
      expect(target.records.map(toLine)).toEqual(records.map(toLine))
      expect(target.model).toEqual(MODEL)
      expect(target.isFinished).toBe(true)
    }),
    small,
  )
})

test('a changed byte anywhere is found, and no block with it or after it reaches the store', async () => {
  const change = fc.integer({ min: 1, max: 255 })
  const records = fc.oneof(
    anyRecords({ maxLength: 12 }),
    fc.constant(many(BLOCK_RECORDS_MAX * 2 + 1)),
  )
  await fc.assert(
    fc.asyncProperty(records, fc.nat(), change, async (whole, place, difference) => {
      const bytes = await archiveOf(whole)
      const at = place % bytes.length
      // The first one is the header's.
      const blocksBefore = endsOfBlocks(bytes)
        .slice(1)
        .filter((end) => end <= at).length
      bytes.writeUInt8(bytes.readUInt8(at) ^ difference, at)
      const target = new Target()
      const run = importArchive(streamOf(bytes), target, IGNORED)
      await expect(run).rejects.toBeInstanceOf(ArchiveProblem)
      expect(target.isFinished).toBe(false)
      expect(target.records).toEqual(whole.slice(0, blocksBefore * BLOCK_RECORDS_MAX))
    }),
    { numRuns: 300 },
  )
})

/** Behind the line break of each checksum. */
function endsOfBlocks(archive: Buffer): number[] {
  const ends: number[] = []
  for (
    let at = archive.indexOf(CHECKSUM_START);
    at >= 0;
    at = archive.indexOf(CHECKSUM_START, at)
  ) {
    at = archive.indexOf('\n', at) + 1
    ends.push(at)
  }
  return ends
}

test('every single byte of an archive counts', async () => {
  const bytes = await archiveOf([{ kind: 'space', space: 1, createdAt: 0 }])
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at)
    const run = importArchive(streamOf(damaged), new Target(), IGNORED)
    await expect(run, `byte ${at}`).rejects.toBeInstanceOf(ArchiveProblem)
  }
})

test('an archive that ends too early is refused wherever it ends, and one that goes on too', async () => {
  const bytes = await archiveOf([{ kind: 'space', space: 1, createdAt: 0 }])
  for (let end = 0; end < bytes.length; end += 1) {
    const run = importArchive(streamOf(bytes.subarray(0, end)), new Target(), IGNORED)
    await expect(run, `after ${end} bytes`).rejects.toBeInstanceOf(ArchiveProblem)
  }
  const longer = Buffer.concat([bytes, Buffer.from('{}\n')])
  const run = importArchive(streamOf(longer), new Target(), IGNORED)
  await expect(run).rejects.toThrow('Line 6 comes after the end of the archive.')
})

const many = (count: number): ArchiveRecord[] =>
  Array.from({ length: count }, (_each, space) => ({ kind: 'space', space, createdAt: space }))

test('an import that died at any block goes on there, and brings every record once', async () => {
  const records = many(BLOCK_RECORDS_MAX * 4 + 1)
  const bytes = await archiveOf(records)
  for (let commits = 0; commits < 5; commits += 1) {
    const target = new Target()
    target.diesAfter = commits
    await expect(importArchive(streamOf(bytes), target, IGNORED)).rejects.toThrow('It died.')
    target.diesAfter = Number.POSITIVE_INFINITY
    const outcome = await importArchive(streamOf(bytes), target, IGNORED)
    expect(outcome).toMatchObject({ kind: 'imported', resumedAfterBlocks: commits })
    expect(target.records).toEqual(records)
    expect(await importArchive(streamOf(bytes), target, IGNORED)).toEqual({ kind: 'was-imported' })
  }
})

test('a file that begins like the archive but is another one does not go on with it', async () => {
  const bytes = await archiveOf(many(BLOCK_RECORDS_MAX * 2))
  const target = new Target()
  target.diesAfter = 1
  await expect(importArchive(streamOf(bytes), target, IGNORED)).rejects.toThrow('It died.')
  const others = many(2).map(toLine)
  for (const blocks of [[], [others], [others, others]]) {
    const run = importArchive(streamOf(forged([[headerOf(bytes)], ...blocks])), target, IGNORED)
    await expect(run).rejects.toThrow('It is not the archive with which this import began.')
    expect(target.isFinished).toBe(false)
  }
})

test('an import that is asked to stop has committed whole blocks', async () => {
  const target = new Target()
  const isStopped = (): boolean => target.records.length > 0
  const bytes = await archiveOf(many(BLOCK_RECORDS_MAX * 3))
  const run = importArchive(streamOf(bytes), target, { ...IGNORED, isStopped })
  await expect(run).rejects.toBeInstanceOf(ImportStopped)
  expect(target.records).toHaveLength(BLOCK_RECORDS_MAX)
})

test('damage is told by the lines between which it is', async () => {
  const bytes = await archiveOf(many(BLOCK_RECORDS_MAX * 2))
  const at = bytes.lastIndexOf('{"kind":"space"')
  bytes.write('!', at + 1)
  const run = importArchive(streamOf(bytes), new Target(), IGNORED)
  await expect(run).rejects.toThrow('It is damaged between line 504 and line 1004.')
})

test('what is no archive, or one of another version, is told apart', async () => {
  const refusal = (text: string) =>
    importArchive(streamOf(Buffer.from(text)), new Target(), IGNORED).catch(String)
  expect(await refusal('{"type":"entity"}\n')).toContain('It is not a Mnemograph archive')
  expect(await refusal('')).toContain('It is empty.')
  const header = headerOf(await archiveOf([])).replace('"version":1', '"version":2')
  expect(await refusal(withHeader(header).toString())).toContain('another version of Mnemograph')
})

test.each(['', '"version":1', '"version":1}}', '"version":"\u0001"}'])(
  'a first line that begins as that of an archive and is no JSON is told as damage: %j',
  async (rest) => {
    const archive = withHeader(`{"format":"mnemograph-archive",${rest}`)
    const reading = importArchive(streamOf(archive), new Target(), IGNORED)
    await expect(reading).rejects.toThrow(ArchiveProblem)
    await expect(reading).rejects.toThrow('Line 1 is no header of an archive.')
  },
)

test('a file without a line break is given up before it fills the memory', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, 'x')
  let read = 0
  async function* withoutBreak() {
    for (; read < 100; read += 1) yield mebibyte
  }
  await expect(Array.fromAsync(linesOf(withoutBreak()))).rejects.toThrow('Line 1 is longer than')
  expect(read).toBe(64)
})

test('a block of long records ends with the one that fills it', async () => {
  const description = 'd'.repeat(BLOCK_CHARACTERS_MAX / 8)
  const records = Array.from(
    { length: 20 },
    (_, number): ArchiveRecord => ({
      kind: 'entity',
      space: 1,
      id: `ent_${number}`,
      name: 'Anna',
      type: 'PERSON',
      description,
      metadata: null,
      createdAt: 0,
    }),
  )
  const written = archiveText(sourceOf(records), { clock: setClock(0), onBlock: () => undefined })
  const blocks = await Array.fromAsync(written)
  for (const block of blocks) expect(block.length).toBeLessThan((BLOCK_CHARACTERS_MAX * 9) / 8)
  // Those between the header and the rest, behind which is the end.
  const full = blocks.slice(1, -2)
  expect(full).toHaveLength(2)
  for (const block of full) expect(block.length).toBeGreaterThan(BLOCK_CHARACTERS_MAX)
  const target = new Target()
  await importArchive(streamOf(Buffer.from(blocks.join('')), 100_000), target, IGNORED)
  expect(target.records).toEqual(records)
})

test('a memory comes back with its own vectors, and is no record when they are of another dimension', () => {
  // As a store hands them out: a part of a larger buffer.
  const vector = Float32Array.of(9, 9, 1, 2, 3, 4, 9).subarray(2, 6)
  const piece = { start: 0, end: 3, commonness: null, terms: null, vector }
  const line = toLine({
    kind: 'memory',
    space: 1,
    id: 'mem_1',
    content: 'tea',
    userId: 'anna',
    agentId: null,
    tags: [],
    metadata: null,
    createdAt: 0,
    pieces: [piece],
  })
  expect(fromLine(line, 4)).toMatchObject({ pieces: [{ vector: Float32Array.of(1, 2, 3, 4) }] })
  for (const other of [0, 3, 5]) expect(fromLine(line, other)).toBeUndefined()
})

test('nothing is read that no checksum covers, and no block that is longer than any', async () => {
  const header = headerOf(await archiveOf([]))
  const space = (number: number) => `{"kind":"space","space":${number},"createdAt":0}`
  const whole = forged([[header], [space(1)]])
  const target = new Target()
  await importArchive(streamOf(whole), target, IGNORED)
  expect(target.records).toHaveLength(1)
  const spaces = Array.from({ length: BLOCK_RECORDS_MAX + 1 }, (_, number) => space(number))
  const refusal = (archive: Buffer) =>
    importArchive(streamOf(archive), new Target(), IGNORED).catch(String)
  expect(await refusal(forged([[header], spaces]))).toContain('It is damaged between line 3 and')
  expect(await refusal(forged([[header], [space(1)]], [space(2)]))).toContain('It is damaged')
  expect(await refusal(forged([[header, space(1)]]))).toContain('It is not a Mnemograph archive')
})

const headerOf = (archive: Buffer): string => archive.toString().split('\n')[0] ?? ''

/** A whole archive without records. */
const withHeader = (header: string): Buffer => forged([[header]])

/** Checksums and end are those of the blocks, of which the first has the header, and of what `rest` adds. */
function forged(blocks: string[][], rest: string[] = []): Buffer {
  const checksum = new RunningChecksum()
  const written: string[] = []
  const write = (line: string): void => {
    written.push(line)
    checksum.add(`${line}\n`)
  }
  for (const block of blocks) {
    for (const line of block) write(line)
    write(checksumLine(written.length, checksum.value()))
  }
  for (const line of rest) write(line)
  const records = blocks.flat().length - 1
  written.push(endLine(records, checksum.value()))
  return Buffer.from(`${written.join('\n')}\n`)
}
