// What the commands print where, and with which status they end.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isApiKey } from '../core/api-key.ts'
import { commandLine } from '../testing/command.ts'

const cli = commandLine()
afterAll(() => cli[Symbol.dispose]())

const ID = /^key_[0-9A-Za-z]{25}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test.each([
  [[], 'Usage: mnemograph'],
  [['keys'], 'Usage: mnemograph keys'],
  [['nope'], "unknown command 'nope'"],
  [['keys', 'lst'], 'Did you mean list?'],
  [['keys', 'list', '--nope'], "unknown option '--nope'"],
  [['serve', 'extra'], 'too many arguments'],
  [['keys', 'create'], '--name'],
  [['keys', 'create', '--name', ' '], '1 to 256 characters that are not all blank'],
  [['keys', 'create', '--name', '\u0085'], '1 to 256 characters that are not all blank'],
  [['keys', 'create', '--name', 'x'.repeat(257)], '1 to 256 characters'],
  [['keys', 'create', '--name', 'x', '--plan', 'gold'], 'free, hobby, enterprise'],
  [['keys', 'create', '--name', 'x', '--read-limit', '0'], 'from 1 to 999,999,999'],
  [['keys', 'create', '--name', 'x', '--read-limit', '1000000000'], 'from 1 to 999,999,999'],
  [['keys', 'create', '--name', 'x', '--write-limit', '1.5'], 'whole number'],
  [['keys', 'create', '--name', '--json'], "missing between '--name' and '--json'"],
  [['keys', 'create', '--name', 'x', '--plan', '--', '--json'], '--plan=--'],
  [['keys', 'create', '--name', '-h'], "missing between '--name' and '-h'"],
  [['export', '--nope', '--name', '--json'], "unknown option '--nope'"],
  [['keys', 'revoke'], 'key-id'],
  [['keys', 'change', '--plan', 'hobby'], 'key-id'],
  [['keys', 'change', 'key_1'], 'nothing to change: give --plan, --read-limit'],
  [['keys', 'change', 'key_1', '--plan', 'gold'], 'Allowed choices are free, hobby, enterprise'],
  [
    ['keys', 'change', 'key_1', '--read-limit', '0'],
    'requests a minute from 1 to 999,999,999, or none',
  ],
  [['export', ''], 'It is empty: name a file'],
  [['import', ''], 'It is empty: name a file'],
  [['import', 'a.jsonl', '--refused', ''], 'It is empty: name a file'],
  [['import', 'a.jsonl', '--key-file', ''], 'It is empty: name a file'],
  [['calibrate', '--pairs', ''], 'It is empty: name a file'],
  [['calibrate', '--pairs', 'a.csv', '--out', ''], 'It is empty: name a file'],
  // Of an empty name Node makes the working directory.
  [['calibrate', '--pairs', 'a.csv', '--model', ''], 'It is empty: name a folder'],
  [['reembed', '--model', ''], 'It is empty: name a folder'],
])('bad usage %j is told on stderr with status 2, without a stack', async (args, text) => {
  const { status, stdout, stderr } = await cli.run(args)
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(text)
  expect(stderr).not.toContain('    at ')
})

test('asked for help or its version, it answers on stdout with status 0', async () => {
  const [help, keysHelp, version] = await Promise.all([
    cli.run(['--help']),
    cli.run(['help', 'keys']),
    cli.run(['--version']),
  ])
  expect(help).toMatchObject({ status: 0, stderr: '' })
  expect(help.stdout).toContain('serve')
  expect(help.stdout).toMatch(/^ {2}mcp .*tools over stdin and stdout/m)
  expect(keysHelp).toMatchObject({ status: 0, stderr: '' })
  expect(keysHelp.stdout).toContain('revoke')
  expect(version).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

test('help of a command of a command is what --help tells of it', async () => {
  const [asked, told] = await Promise.all([
    cli.run(['help', 'keys', 'create']),
    cli.run(['keys', 'create', '--help']),
  ])
  expect(asked).toEqual(told)
})

test('help runs nothing, whatever stands behind it', async () => {
  const { status, stdout } = await cli.run(['help', 'export', '--', 'backup.jsonl'])
  expect(status).toBe(0)
  expect(stdout).toContain('Usage: mnemograph export')
})

test('help marks what has to be given, in an order that works, and says where settings are', async () => {
  const help = async (...words: string[]) => (await cli.run([...words, '--help'])).stdout
  expect(await help('keys', 'create')).toContain('what the key is for (required)')
  expect(await help('calibrate')).toMatch(/--pairs <file> .*\(required\)/s)
  // Behind --plans, the address would be taken for a plan.
  expect(await help('accounts', 'invite')).toContain('accounts invite <email> [options]')
  for (const words of [[], ['serve']]) {
    expect(await help(...words)).toContain('environment variables, such as MNEMOGRAPH_DATA_DIR')
  }
})

test('a setting that means nothing is named, with status 2', async () => {
  const [unknown, bad] = await Promise.all([
    cli.run(['keys', 'list'], { MNEMOGRAPH_DATADIR: '/tmp' }),
    cli.run(['serve'], { PORT: '99999' }),
  ])
  expect(unknown.status).toBe(2)
  expect(unknown.stderr).toContain('MNEMOGRAPH_DATADIR is not a setting')
  expect(bad.status).toBe(2)
  expect(bad.stderr).toContain('PORT must be')
})

test.each([[['keys', 'list']], [['export', 'a.jsonl']], [['reembed', '--status']]])(
  'a data folder that is a file is told as such by %j',
  async (args) => {
    const file = join(cli.directory, 'file')
    writeFileSync(file, '')
    const { status, stderr } = await cli.run(args, { MNEMOGRAPH_DATA_DIR: file })
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${file} is a file`)])
    expect(stderr).toContain('MNEMOGRAPH_DATA_DIR')
  },
)

test('a key is made, listed and revoked, for people and for programs', async () => {
  using own = commandLine()
  const none = await own.run(['keys', 'list'])
  const stderr = `There is no key yet in ${own.directory}.\n`
  expect(none).toMatchObject({ status: 0, stdout: '', stderr })
  expect(await own.run(['keys', 'list', '--json'])).toMatchObject({
    status: 0,
    stdout: '[]\n',
    stderr: '',
  })

  const options = ['--plan', 'hobby', '--read-limit', 'none', '--write-limit', '7']
  const made = await own.run(['keys', 'create', '--name', 'größe 🧠', ...options, '--json'])
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const key = JSON.parse(made.stdout)
  expect(key).toStrictEqual({
    id: expect.stringMatching(ID),
    name: 'größe 🧠',
    key: expect.any(String),
    plan: 'hobby',
    status: 'active',
    createdAt: expect.stringMatching(TIME),
  })
  expect(isApiKey(key.key)).toBe(true)

  const plain = await own.run(['keys', 'create', '--name', 'second'])
  expect(isApiKey(plain.stdout.trim())).toBe(true)
  expect(plain.stderr).toContain('only this once')

  const listed = await own.run(['keys', 'list', '--json'])
  const { key: secret, ...shown } = key
  expect(JSON.parse(listed.stdout)).toStrictEqual([
    expect.objectContaining({ name: 'second', plan: 'free' }),
    { ...shown, lastUsedAt: null },
  ])
  const lines = await own.run(['keys', 'list'])
  expect(lines.stdout.split('\n')[1]).toMatch(/^key_\S+\tactive\thobby\t\S+\tnever used\tgröße 🧠$/)
  expect(listed.stdout + lines.stdout).not.toContain(secret)

  const revoked = await own.run(['keys', 'revoke', key.id, '--json'])
  expect(revoked).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(revoked.stdout)).toStrictEqual({ id: key.id, status: 'revoked' })
  const again = await own.run(['keys', 'revoke', key.id])
  expect(again).toMatchObject({ status: 0, stdout: '' })
  expect(again.stderr).toContain('revoked')
})

test('a value that begins with -- is taken when nothing is between it and its option', async () => {
  const { status, stdout } = await cli.run(['keys', 'create', '--name=--json', '--json'])
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ name: '--json' })
})

test('an unknown key id is status 1', async () => {
  for (const json of [[], ['--json']]) {
    const { status, stdout, stderr } = await cli.run(['keys', 'revoke', 'key_nobody', ...json])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(`mnemograph: There is no key with the id key_nobody in ${cli.directory}.\n`)
  }
})
