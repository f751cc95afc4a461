// What becomes of a command whose output nobody reads, or no disk takes.
import { closeSync, existsSync, openSync } from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type CommandLine, type CommandProcess, commandLine } from '../testing/command.ts'
import { namedPipe, PIPE_BYTES } from '../testing/named-pipe.ts'

let cli: CommandLine
beforeEach(() => {
  cli = commandLine()
})
afterEach(() => cli[Symbol.dispose]())

/** As with `| head -0`, which is gone before anything is printed. */
function unread(args: string[]): CommandProcess {
  const command = cli.start(args)
  command.child.stdout?.destroy()
  return command
}

function toFullDisk(args: string[]): CommandProcess {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  return cli.start(args, {}, { stdout: full })
}

test('whoever stops reading ends a command without a word', async () => {
  await cli.run(['keys', 'create', '--name', 'first'])
  for (const args of [['--help'], ['help', 'keys'], ['keys', 'list'], ['keys', 'list', '--json']]) {
    expect(await unread(args).ended()).toMatchObject({ status: 0, stderr: '' })
  }
})

test.runIf(existsSync('/dev/full'))('a full disk is told in one line, with status 1', async () => {
  await cli.run(['keys', 'create', '--name', 'first'])
  for (const args of [['--version'], ['keys', 'list'], ['accounts', 'list', '--json'], ['serve']]) {
    const { status, stderr } = await toFullDisk(args).ended()
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/^mnemograph: The output cannot be written \(.*ENOSPC/)],
    ])
  }
})

test('a key that nobody has seen is named, to be revoked', async () => {
  const makers = [unread, ...(existsSync('/dev/full') ? [toFullDisk] : [])]
  for (const make of makers) {
    for (const json of [[], ['--json']]) {
      const { status, stderr } = await make(['keys', 'create', '--name', 'x', ...json]).ended()
      expect(status).toBe(1)
      expect(stderr).toMatch(/^mnemograph: .*\n$/)
      const [, id = ''] = /"mnemograph keys revoke (key_\w+)"/.exec(stderr) ?? []
      expect(await cli.run(['keys', 'revoke', id])).toMatchObject({ status: 0 })
    }
  }
})

test('a link that nobody has seen is told to be made again', async () => {
  for (const json of [[], ['--json']]) {
    const { status, stderr } = await unread(['accounts', 'setup-link', ...json]).ended()
    expect([status, stderr]).toEqual([1, expect.stringContaining('run the same command again')])
  }
})

test('a server goes on that nobody reads, and names the first key that nobody has seen', async () => {
  const server = unread(['serve'])
  await expect.poll(() => server.stderr).toContain('"mnemograph keys revoke key_')
  server.child.kill('SIGTERM')
  expect(await server.ended()).toMatchObject({ status: 0 })
})

test('messages that nobody reads keep no command from its end', async () => {
  const command = cli.start(['keys', 'create', '--name', 'x'])
  command.child.stderr?.destroy()
  expect(await command.ended()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^mng_/) })
})

const UNREAD = 'is read by nobody, and fills its pipe'
const FULL_DISK = existsSync('/dev/full') ? ['goes to a full disk'] : []

test.each([...FULL_DISK, UNREAD, 'has lost its reader'])(
  'a server whose log %s listens, answers, and ends with 0',
  async (fate) => {
    const pipe = namedPipe()
    let log = pipe.writer
    if (fate === FULL_DISK[0]) {
      const full = openSync('/dev/full', 'w')
      onTestFinished(() => closeSync(full))
      log = full
    }
    if (fate === 'has lost its reader') pipe.closeReader()
    const settings = { MNEMOGRAPH_LOG_LEVEL: 'debug' }
    const server = cli.start(['serve'], settings, { stderr: log })
    const address = await server.listening()
    // A line of the log is longer than 100 bytes.
    const requests = fate === UNREAD ? (2 * PIPE_BYTES) / 100 : 50
    for (let request = 0; request < requests; request += 1) {
      expect((await fetch(`${address}/livez`)).status).toBe(200)
    }
    server.child.kill('SIGTERM')
    expect(await server.ended()).toMatchObject({ status: 0 })
  },
)
