// What an import refuses before anything is stored: addresses, keys, files and options that cannot be meant.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { many, toJsonLines } from '../../testing/import-client.ts'
import { importCommand } from '../../testing/import-command.ts'
import { listenDuringTest } from '../../testing/listen-during-test.ts'
import { runService } from '../../testing/running-service.ts'
import { serverAddress } from '../server-address.ts'

const shared = await runService()
afterAll(() => shared?.[Symbol.asyncDispose]())

test('a file for refused lines that cannot be used is refused before anything is sent', async () => {
  const { cli, service, key, file, total } = await importCommand({ shared })
  const content = toJsonLines(many(2))
  const path = file(content)
  const keyFile = join(cli.directory, 'key')
  writeFileSync(keyFile, key.key)
  for (const refused of [
    path,
    keyFile,
    cli.directory,
    join(cli.directory, 'missing', 'refused.jsonl'),
  ]) {
    const args = ['--url', service.address, '--key-file', keyFile, '--refused', refused]
    const { status, stderr } = await cli.run(['import', path, ...args])
    expect([status, stderr]).toEqual([2, expect.stringContaining(`--refused ${refused}`)])
  }
  expect(readFileSync(path, 'utf8')).toBe(content)
  expect(readFileSync(keyFile, 'utf8')).toBe(key.key)
  expect(await total()).toBe(0)
})

test('an archive of a whole store is refused before anything is sent: a key would get all spaces', async () => {
  const { cli, service, settings, to, run, total } = await importCommand({ shared })
  const archive = join(cli.directory, 'archive.jsonl')
  const exported = await cli.run(['export', archive], { MNEMOGRAPH_DATA_DIR: service.directory })
  expect(exported).toMatchObject({ status: 0 })
  writeFileSync(archive, `${readFileSync(archive, 'utf8')}${toJsonLines(many(3))}`)
  const refused = [
    await run(archive),
    await run(archive, '--from-line', '2'),
    await cli.feed(['import', '-', ...to()], readFileSync(archive), settings),
  ]
  for (const { status, stderr } of refused) {
    expect([status, stderr]).toEqual([2, expect.stringContaining('archive of a whole store')])
  }
  expect(await total()).toBe(0)
})

test('memories without --url are told to need it, also while a server has the store', async () => {
  const { cli, service, file } = await importCommand({ shared })
  const store = { MNEMOGRAPH_DATA_DIR: service.directory }
  const { status, stderr } = await cli.run(['import', file(toJsonLines(many(2)))], store)
  expect([status, stderr]).toEqual([1, expect.stringContaining('with --url')])
  expect(stderr).not.toContain('Another')
})

test('an address of another protocol is told at once', async () => {
  const { service, file, run } = await importCommand({ shared })
  const address = service.address.replace('http:', 'https:')
  const { status, stderr } = await run(file(toJsonLines(many(5))), '--url', address)
  expect([status, stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
  expect(stderr).toContain('does not speak TLS')
  expect(stderr).not.toContain('Waiting')
})

test('a key that the server does not take is told with the place from which it came', async () => {
  const { cli, service, to, file } = await importCommand({ shared })
  const path = file(toJsonLines(many(2)))
  const ofVariable = await cli.run(['import', path, ...to()], { API_KEY: 'mng_nobody' })
  expect(ofVariable).toMatchObject({ status: 1 })
  expect(ofVariable.stderr).toContain('read from the variable API_KEY: put an active key')
  const keyFile = join(cli.directory, 'key')
  writeFileSync(keyFile, 'mng_nobody')
  const args = ['import', path, '--url', service.address, '--key-file', keyFile]
  const ofFile = await cli.run(args)
  expect(ofFile.stderr).toContain(`read from the file ${keyFile}: put an active key`)
  expect(ofVariable.stderr + ofFile.stderr).not.toContain('mng_nobody')
})

test.each([
  'http://127.0.0.1:8080?',
  'http://127.0.0.1:8080/#',
  'http://127.0.0.1:8080/?a',
  ' http://127.0.0.1:8080',
  'http://127.0.0.1:8080 ',
  'http://127.0.0.1:80\n80',
  '\u0001http://127.0.0.1:8080',
])('an address behind which no path can stand is refused: %j', (text) => {
  expect(() => serverAddress(text)).toThrow('It must be an address such as http://127')
})

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ['https://example.com/memory//', 'https://example.com/memory'],
])('a path can stand behind %s: it is %s', (text, address) => {
  expect(serverAddress(text)).toBe(address)
})

test('an address where something else answers is told in whole sentences', async () => {
  const { cli, settings, to, file } = await importCommand({ shared })
  const other = createServer((_request, answer) => answer.writeHead(404).end('<title>None</title>'))
  const address = `http://127.0.0.1:${await listenDuringTest(other)}`
  const path = file(toJsonLines(many(1)))
  const { stderr } = await cli.run(['import', path, ...to(address)], settings)
  expect(stderr).toContain('with 404, is no Mnemograph. What is done is kept')
})

test('a key that is given where its place belongs is not repeated', async () => {
  const { cli, service, key, settings, file } = await importCommand({ shared })
  const path = file(toJsonLines(many(1)))
  for (const option of ['--key-from-env', '--key-file']) {
    const args = ['import', path, '--url', service.address, option, key.key]
    const { status, stderr } = await cli.run(args, settings)
    expect([status, stderr]).toEqual([2, expect.stringContaining('That is the API key itself.')])
    expect(stderr).not.toContain(key.key)
  }
})

test('what makes no sense, or cannot be, is said and changes nothing', async () => {
  const { cli, service, key, settings, to, file, total } = await importCommand({ shared })
  const path = file(toJsonLines(many(2)))
  const say = async (args: string[], env: Record<string, string> = settings) => {
    const { status, stderr } = await cli.run(['import', path, ...args], env)
    return [status, stderr]
  }
  const url = ['--url', service.address]
  expect(await say(url)).toEqual([2, expect.stringContaining('--key-from-env or --key-file')])
  expect(await say(to(), {})).toEqual([2, expect.stringContaining('API_KEY holds no API key')])
  expect(await say([...to(), '--key-id', 'key_1'])).toEqual([
    2,
    expect.stringContaining('--key-id'),
  ])
  expect(await say(['--format', 'memories'])).toEqual([2, expect.stringContaining('--url')])
  expect(await say(['--format', 'mem0', ...url])).toEqual([2, expect.stringContaining('--url')])
  expect(await say(['--from-line', '0', ...to()])).toEqual([2, expect.stringContaining('from 1')])
  expect(await say(['--except', '3-1', ...to()])).toEqual([2, expect.stringContaining('95,97-101')])
  for (const option of [
    ['--except', '1'],
    ['--key-from-env', 'API_KEY'],
  ]) {
    expect(await say(option)).toEqual([2, expect.stringContaining('Say with --url')])
  }
  expect(await say(['--url', 'ftp://x', '--key-from-env', 'API_KEY'])).toEqual([
    2,
    expect.stringContaining('http://127'),
  ])
  expect(await say(to('http://127.0.0.1:1/v1'))).toEqual([
    2,
    expect.stringContaining('without /v1'),
  ])
  expect(await say(to('http://127.0.0.1:1'))).toEqual([1, expect.stringContaining('be reached')])
  const ofFolder = await cli.run(['import', cli.directory, ...to('http://127.0.0.1:1')], settings)
  expect(ofFolder.stderr).toBe(`mnemograph: ${cli.directory} is a folder. Name a file in it.\n`)
  expect(await say(to(), { API_KEY: 'mng_nobody' })).toEqual([
    1,
    expect.stringContaining('The server refuses: The API key is not valid.'),
  ])
  expect(await total()).toBe(0)
  const keyFile = join(cli.directory, 'key')
  writeFileSync(keyFile, `${key.key}\n`)
  expect(await cli.run(['import', path, ...url, '--key-file', keyFile])).toMatchObject({
    status: 0,
  })
})
