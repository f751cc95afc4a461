// A folder has one server at a time, is opened whole or refused and left alone, and has all that was stored.
// Where a server is killed, it is a process of its own: the lock has to end with it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { insertedKey, newKey, subjectOf } from '../conformance/subject.ts'
import { StoreRefusal } from '../store.ts'
import { openSqliteAdministration } from './open-keys.ts'
import { databaseFile } from './opening/data-folder.ts'
import { openDatabase } from './opening/open-database.ts'
import { openIn } from './testing/store-in-folder.ts'

const holdLock = fileURLToPath(new URL('./testing/hold-lock.ts', import.meta.url))

async function filled(): Promise<{ directory: string; file: string }> {
  const directory = newFolder()
  const store = await openIn(directory)
  const space = await subjectOf(store).newSpace()
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const memory = memoryOf({ content: `${index} `.repeat(200) })
      return space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
    }),
  )
  await store.close()
  return { directory, file: databaseFile(directory) }
}

const DAMAGES: [name: string, damage: (file: string) => void][] = [
  ['a file with overwritten pages', (file) => overwriteMiddle(file)],
  ['a file that was cut', (file) => truncateSync(file, readFileSync(file).length / 2)],
  ['a file that is something else', (file) => writeFileSync(file, 'garbage '.repeat(5_000))],
  ['a file with a broken header', (file) => overwrite(file, 0, Buffer.alloc(100, 7))],
]

function overwriteMiddle(file: string): void {
  const middle = Math.floor(readFileSync(file).length / 2 / 8_192) * 8_192
  overwrite(file, middle, Buffer.alloc(3 * 8_192, 0xa5))
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, position)
  writeFileSync(file, content)
}

test.each(DAMAGES)('%s is refused with words that say so, and left alone', async (_, damage) => {
  const { directory, file } = await filled()
  damage(file)
  const before = readFileSync(file)
  const opening = openIn(directory)
  await expect(opening).rejects.toBeInstanceOf(StoreRefusal)
  await expect(opening).rejects.toThrow(`The database ${file} is damaged and was not opened.`)
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('the keys of a file that is something else are refused in the same words', async () => {
  const { directory, file } = await filled()
  writeFileSync(file, 'garbage '.repeat(5_000))
  expect(() => openSqliteAdministration(directory)).toThrow(/is damaged and was not opened/)
})

test('a second server on the folder is refused, until the first one has closed', async () => {
  const directory = newFolder()
  const first = await openIn(directory)
  const refused = openIn(directory)
  await expect(refused).rejects.toBeInstanceOf(StoreRefusal)
  await expect(refused).rejects.toThrow(/A server or an import of Mnemograph is using/)
  await first.close()
  await openIn(directory)
})

test('the folder is free again the moment its server was killed', async () => {
  const directory = newFolder()
  const holder = fork(holdLock, [directory])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder, 'message')
  await expect(openIn(directory)).rejects.toThrow(/A server or an import of Mnemograph is using/)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await openIn(directory)
})

test('a folder that cannot be made is refused with words that say so', async () => {
  const { file } = await filled()
  await expect(openIn(`${file}/inside`)).rejects.toThrow(/cannot be created/)
  expect(() => openSqliteAdministration(`${file}/inside`)).toThrow(/cannot be created/)
  expect(() => openSqliteAdministration('/proc/nowhere/inside')).toThrow(
    /cannot be created \(ENOENT\)/,
  )
})

test('in a folder that is open to everybody nobody else may read the files', async () => {
  const directory = newFolder()
  chmodSync(directory, 0o755)
  const store = await openIn(directory)
  await insertedKey(store, newKey())
  const files = readdirSync(directory)
  expect(files).toEqual(expect.arrayContaining(['mnemograph.db', 'mnemograph.db-wal']))
  for (const file of files) {
    const isOurs = (statSync(join(directory, file)).mode & 0o077) === 0
    expect(isOurs, file).toBe(true)
  }
})

test('keys made and revoked beside an open store hold for its very next look-up', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const commands = openSqliteAdministration(directory)
  const [own, guest] = [newKey(), newKey()]
  await insertedKey(store, own)
  await commands.keys.insert(guest)
  expect((await store.keys.findByHash(guest.hash))?.status).toBe('active')
  await commands.keys.revoke(own.id)
  expect((await store.keys.findByHash(own.hash))?.status).toBe('revoked')
  expect(await commands.keys.list()).toEqual(await store.keys.list())
  await store.keys.revoke(guest.id)
  expect((await commands.keys.list()).find(({ id }) => id === guest.id)?.status).toBe('revoked')
  commands.close()
})

test('everything is there again after closing, and calls that were under way are finished', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const { spaceId, memories } = await subjectOf(store).newSpace()
  const inserted = Array.from({ length: 20 }, () => memoryOf())
  const writing = inserted.map((memory) =>
    memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT),
  )
  await store.close()
  await Promise.all(writing)
  const again = (await openIn(directory)).forSpace(spaceId)
  const { items } = await again.memories.page({}, { page: 1, limit: 100 })
  expect(items).toEqual(inserted.toReversed())
})

test('a store can be closed while its log is moved, and has all of it afterwards', async () => {
  const directory = newFolder()
  const deaths: unknown[] = []
  const store = await openIn(directory, { onDeath: (error) => deaths.push(error) })
  const space = await subjectOf(store).newSpace()
  // Beyond the 8 MiB from which on it is moved.
  const memories = Array.from({ length: 1_500 }, () => memoryOf({ content: 'x'.repeat(8_000) }))
  await Promise.all(
    memories.map((memory) => space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)),
  )
  await store.close()
  expect(deaths).toEqual([])
  const db = openDatabase(databaseFile(directory))
  expect(db.prepare('SELECT COUNT(*) FROM memories').pluck().get()).toBe(memories.length)
  db.close()
})
