// Who may read and write the folder and what lies in it, and what a link may lead to.
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { StoreRefusal } from '../../store.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { databaseFile, mayOthersWrite } from './data-folder.ts'

test('a database that is a link is refused, and nothing is made where it leads', async () => {
  const [folder, disk] = [newFolder(), newFolder()]
  const target = join(disk, 'store.db')
  symlinkSync(target, databaseFile(folder))
  await expect(openIn(folder)).rejects.toThrow(
    /mnemograph\.db is a symbolic link\. Name the folder/,
  )
  await expect(openIn(folder)).rejects.toThrow(StoreRefusal)
  expect(readdirSync(disk)).toEqual([])
  writeFileSync(target, '')
  await expect(openIn(folder)).rejects.toThrow(StoreRefusal)
})

test('a folder in which nothing can be looked at is refused, as one that belongs to somebody else', async () => {
  // Who runs the tests may be allowed to look everywhere, but a path can be too long for everybody.
  let folder = newFolder()
  while (folder.length < 4_080) folder += `/${'d'.repeat(Math.min(200, 4_083 - folder.length))}`
  await expect(openIn(folder)).rejects.toThrow(StoreRefusal)
  await expect(openIn(folder)).rejects.toThrow('ENAMETOOLONG')
})

test('a database that may only be read, such as a copy of somebody else, is refused to servers and commands, an import too', async () => {
  const folder = newFolder()
  const store = await openIn(folder)
  await store.close()
  rmSync(join(folder, 'server.lock'))
  chmodSync(folder, 0o777)
  chmodSync(databaseFile(folder), 0o444)
  const program = fileURLToPath(new URL('../testing/open-as-nobody.ts', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' })
  const refusal =
    /^StoreRefusal: The database .*\.db cannot be opened for reading and writing \(EACCES.* access /
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).toMatch(refusal)
})

test('a folder that is a link is used, and its database is for its owner alone', async () => {
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const [folder, disk] = [newFolder(), newFolder()]
  const link = join(folder, 'data')
  symlinkSync(disk, link)
  await openIn(link)
  expect(statSync(join(disk, 'mnemograph.db')).mode & 0o777).toBe(0o600)
})

test('a folder is told from one that anybody may write to', () => {
  const folder = newFolder()
  expect(mayOthersWrite(folder)).toBe(false)
  chmodSync(folder, 0o770)
  expect(mayOthersWrite(folder)).toBe(false)
  chmodSync(folder, 0o777)
  expect(mayOthersWrite(folder)).toBe(true)
})
