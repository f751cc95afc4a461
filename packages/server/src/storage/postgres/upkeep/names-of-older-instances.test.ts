// In a rolling upgrade older instances go on to write names as their version folds them.
import { expect, inject, test } from 'vitest'
import { FIRST_PAGE } from '../../conformance/records.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { foldNamesOfOlderInstances } from './names-of-older-instances.ts'

const server = inject('postgresUrl')
const fail = (error: unknown): never => {
  throw error
}

/** Two spaces with more names than are looked at together, each folded as by an older version, and a way to look. */
async function upgraded() {
  const database = await ownedDatabase(server ?? '')
  const { ask, store, newSpace, options } = database
  const spaces = [await newSpace(), await newSpace()]
  for (const space of spaces) {
    await ask(
      `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
         SELECT $1, 'ent_' || no, 'Łódź ' || no, 'łodz ' || no, 'LOCATION', no
         FROM generate_series(1, 1200) AS no`,
      [space],
    )
  }
  return {
    ...database,
    found: async () => {
      const lists = spaces.map((space) =>
        store.forSpace(space).entities.page({ search: 'lodz' }, FIRST_PAGE),
      )
      return (await Promise.all(lists)).map(({ total }) => total)
    },
    look: (signal = new AbortController().signal, onError: (error: unknown) => void = fail) =>
      foldNamesOfOlderInstances(options.url, { signal, onError, againMs: 0 }),
  }
}

test.skipIf(server === undefined)(
  'names that an older instance has written after a migration are found, in every space',
  async () => {
    const { found, look } = await upgraded()
    expect(await found()).toEqual([0, 0])
    // Several instances that have started together.
    await Promise.all([look(), look()])
    expect(await found()).toEqual([1_200, 1_200])
  },
)

test.skipIf(server === undefined)('what fails is told, and tried again', async () => {
  const { ask, found, look } = await upgraded()
  await ask('REVOKE UPDATE ON entities FROM mnemograph_maintenance')
  const failures: unknown[] = []
  const looked = look(undefined, (error) => failures.push(error))
  await expect.poll(() => failures.length).toBeGreaterThan(0)
  await ask('GRANT UPDATE ON entities TO mnemograph_maintenance')
  await looked
  expect(await found()).toEqual([1_200, 1_200])
})

test.skipIf(server === undefined)(
  'nothing is looked through where no version is new, or by an instance that ends',
  async () => {
    const { ask, found, look } = await upgraded()
    await look(AbortSignal.abort())
    await ask("UPDATE schema_versions SET applied_at = now() - interval '8 days'")
    await look()
    expect(await found()).toEqual([0, 0])
  },
)
