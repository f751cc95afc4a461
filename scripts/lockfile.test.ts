// `npm ci` has to work without a compiler and without Python. better-sqlite3 ships its binaries and
// says `gypfile: false`, but npm leaves that out of the lock file that it writes, and then runs
// node-gyp for nothing. The entry is kept by hand: npm reads it from the lock file.
import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'

const Lock = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({ gypfile: Type.Optional(Type.Boolean()), resolved: Type.Optional(Type.String()) }),
  ),
})

const lock = Value.Parse(
  Lock,
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
)

test('npm ci compiles nothing: the lock says that better-sqlite3 brings its binary', () => {
  const entry = lock.packages['node_modules/better-sqlite3']
  expect(entry?.gypfile, 'add "gypfile": false to its entry in package-lock.json again').toBe(false)
})

test('the lock names no registry: packages come from wherever npm is told to look', () => {
  const addresses = Object.values(lock.packages).flatMap(({ resolved = '' }) =>
    resolved.includes('://') ? [resolved] : [],
  )
  expect(addresses).toEqual([])
})
