// A disk without room: writes say so, reads go on, deletions still work, and nothing is broken once
// there is room again. The disk is a small one in memory, which only root can make.
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import type { ArchiveRecord, ImportProgress } from '../../archive.ts'
import { FIRST_PAGE, memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { subjectOf } from '../../conformance/subject.ts'
import { openSqliteArchiveTarget } from '../archive/open-archive.ts'
import { startSqliteStore } from '../open-store.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { LOG_BYTES_MAX } from './write-ahead-log.ts'

/** Undefined where a disk cannot be made. */
function smallDisk({ mebibytes = 2 } = {}): string | undefined {
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', [folder]))
  return folder
}

test('a full disk refuses writes, and nothing else', async ({ skip }) => {
  const directory = smallDisk()
  if (directory === undefined) return skip('needs root, to make a small disk')
  const store = await openIn(directory)
  const space = await subjectOf(store).newSpace()
  const insert = async (content: string) => {
    const memory = memoryOf({ content })
    await space.memories.insert(memory, [pieceOf(content)], NO_RECEIPT)
    return memory
  }
  const kept = [await insert('first')]
  const ballast = join(directory, 'ballast')
  fill(ballast)
  const large = 'large '.repeat(1_600)
  await expect(
    (async () => {
      for (;;) kept.push(await insert(large))
    })(),
  ).rejects.toMatchObject({ name: 'StoreError', kind: 'full' })

  const { items, total } = await space.memories.page({}, FIRST_PAGE)
  expect(items).toEqual(kept.toReversed().slice(0, 100))
  expect(total).toBe(kept.length)
  expect(await space.memories.find(kept[0]?.id ?? '')).toEqual(kept[0])

  rmSync(ballast)
  const later = await insert(large)
  expect(await space.memories.find(later.id)).toEqual(later)
  expect(await space.memories.remove(later.id, NO_RECEIPT)).toBe(true)
  await store.check()
})

test('a start that has no room to move a long log says so and ends, whatever is asked of it meanwhile', async ({
  skip,
}) => {
  const directory = smallDisk({ mebibytes: 64 })
  if (directory === undefined) return skip('needs root, to make a small disk')
  const origin = newFolder()
  await (await openIn(origin)).close()
  const from = databaseFile(origin)
  const other = openDatabase(from)
  other.exec('CREATE TABLE ballast (row)')
  other.prepare('INSERT INTO ballast VALUES (zeroblob(?))').run(LOG_BYTES_MAX - 14 * 1024 * 1024)
  for (const end of ['', '-wal']) {
    copyFileSync(`${from}${end}`, `${databaseFile(directory)}${end}`)
  }
  other.close()

  const deaths: unknown[] = []
  const { store, ready } = startSqliteStore({ directory, onDeath: (error) => deaths.push(error) })
  const start = { isOver: false }
  const refused = expect(ready)
    .rejects.toMatchObject({ name: 'StoreError', kind: 'full' })
    .finally(() => {
      start.isOver = true
    })
  // The rest of a start asks the store for things until it hears that it is refused.
  while (!start.isOver) {
    store.check().catch(() => undefined)
    await wait(1)
  }
  await refused
  expect(deaths).toEqual([])
})

test('an import for which there is no room says so, lets go of the folder, and goes on later', async ({
  skip,
}) => {
  const directory = smallDisk()
  if (directory === undefined) return skip('needs root, to make a small disk')
  const block = (number: number): [ArchiveRecord[], ImportProgress] => [
    [
      { kind: 'space', space: number, createdAt: 1 },
      {
        kind: 'entity',
        space: number,
        id: `ent_${number}`,
        name: 'Anna',
        type: 'PERSON',
        description: 'large '.repeat(600),
        metadata: null,
        createdAt: 1,
      },
    ],
    { blocks: number, checksum: `${number}` },
  ]
  const target = openSqliteArchiveTarget(directory)
  await target.begin('archive', undefined)
  const ballast = join(directory, 'ballast')
  fill(ballast)
  let blocks = 0
  await expect(
    (async () => {
      for (;;) {
        await target.add(...block(blocks + 1))
        blocks += 1
      }
    })(),
  ).rejects.toMatchObject({ name: 'StoreError', kind: 'full' })
  await target.close()

  rmSync(ballast)
  const again = openSqliteArchiveTarget(directory)
  expect(await again.begin('archive', undefined)).toMatchObject({ blocks, isFinished: false })
  await again.add(...block(blocks + 1))
  await again.finish()
  await again.close()
})

/** Leaves room for a few hundred kilobytes at most. */
function fill(file: string): void {
  for (let kilobytes = 4; ; kilobytes += 4) {
    try {
      writeFileSync(file, Buffer.alloc(kilobytes * 1024))
    } catch {
      writeFileSync(file, Buffer.alloc(Math.max(0, kilobytes - 300) * 1024))
      return
    }
  }
}
