// What only looks at a store makes none: a folder or an address that is mistyped stays as it is.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { withOwner } from '../storage/postgres/connection/owner.ts'
import { type CommandLine, commandLine } from '../testing/command.ts'
import { newEmptyDatabase } from '../testing/postgres.ts'

const server = inject('postgresUrl')

async function expectNothingThere(
  run: (args: string[]) => ReturnType<CommandLine['run']>,
  place: string,
): Promise<void> {
  for (const [args, status, text] of [
    [['keys', 'list'], 0, `There is no key yet in ${place}.`],
    [
      ['keys', 'change', 'key_1', '--plan', 'hobby'],
      1,
      `There is no key with the id key_1 in ${place}.`,
    ],
    [['keys', 'revoke', 'key_1'], 1, `There is no key with the id key_1 in ${place}.`],
    [['accounts', 'list'], 0, `There is no account yet in ${place}`],
    [['accounts', 'invite', 'a@example.com'], 1, `There is no account yet in ${place}`],
    [['accounts', 'reset', 'a@example.com'], 1, `There is no account yet in ${place}`],
  ] as const) {
    expect(await run([...args])).toEqual({
      status,
      stdout: '',
      stderr: expect.stringContaining(text),
    })
  }
}

test('in a folder that is not there, nothing is found and no folder is made', async () => {
  using cli = commandLine()
  const directory = join(cli.directory, 'mistyped')
  await expectNothingThere((args) => cli.run(args, { MNEMOGRAPH_DATA_DIR: directory }), directory)
  expect(existsSync(directory)).toBe(false)
})

test.skipIf(server === undefined)(
  'in a database without a store, nothing is found and nothing is made',
  async () => {
    using cli = commandLine()
    const { url, drop } = await newEmptyDatabase(server ?? '')
    onTestFinished(drop)
    const { pathname, host } = new URL(url)
    const place = `the database ${pathname.slice(1)} on ${host}`
    await expectNothingThere((args) => cli.run(args, { DATABASE_URL: url }), place)
    const { rows } = await withOwner(url, (owner) =>
      owner.query("SELECT 1 FROM pg_namespace WHERE nspname = 'mnemograph'"),
    )
    expect(rows).toEqual([])
  },
)
