// What is said of a key when the database falls silent while it is made: nobody knows then whether it is
// there, and nobody has seen it.
import { expect, inject, onTestFinished, test } from 'vitest'
import { commandLine } from '../../testing/command.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { type Cut, startForwarder } from '../../testing/postgres-forwarder.ts'

const server = inject('postgresUrl')

test.skipIf(server === undefined).for<[Cut, number]>([
  ['before its answer comes back', 1],
  ['before the server hears of it', 0],
])('a key whose making is cut off %s is told as one that may be there', async ([moment, keys]) => {
  const database = await newDatabase(server ?? '')
  onTestFinished(() => database.drop())
  const way = await startForwarder(database.url)
  onTestFinished(() => way.close())
  using command = commandLine()
  const run = (...args: string[]) => command.run(args, { DATABASE_URL: way.url })
  expect((await run('keys', 'list')).stderr).toMatch(/^There is no key yet/)

  way.cutCommitAfter('cut off', moment)
  const { status, stdout, stderr } = await run('keys', 'create', '--name', 'cut off')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^mnemograph: The store does not answer.* may have been made.*keys list/)
  expect(stderr).not.toContain('Run it again')
  const listed = JSON.parse((await run('keys', 'list', '--json')).stdout)
  expect(listed).toHaveLength(keys)
})
