// What may be stored is no damage: the look at the rows of a large store ends the process with the first
// finding, at every start.
import { expect, test } from 'vitest'
import { fillStore } from '../../conformance/filled-store.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { newFolder, openIn, takeAllIn } from '../testing/store-in-folder.ts'
import { findDamage } from './check-rows.ts'
import { databaseFile } from './data-folder.ts'
import { openDatabase } from './open-database.ts'

function findings(directory: string): string[] {
  const db = openDatabase(databaseFile(directory))
  const found = [...findDamage(db)].filter((finding) => finding !== undefined)
  db.close()
  return found
}

test('a store with one of everything shows no damage, whether or not lists have taken it in', async () => {
  const directory = newFolder()
  await fillStore(await openIn(directory))
  expect(findings(directory)).toEqual([])
  takeAllIn(directory)
  expect(findings(directory)).toEqual([])
})

test('pieces in which there is no word are no damage', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const {
    spaces: [space],
  } = await fillStore(store)
  const content = '— '.repeat(200)
  const piece = pieceOf(content)
  const pieces = [piece, { ...piece, start: 200 }]
  await store.forSpace(space).memories.insert(memoryOf({ content }), pieces, NO_RECEIPT, 1)
  expect(findings(directory)).toEqual([])
})
