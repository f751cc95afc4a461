// The Dockerfile, without a builder: what it copies exists, what it builds on was built before, and
// it runs on the Node that the repository is tested with.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDockerfile } from './reading/dockerfile.ts'
import { textOf } from './reading/text.ts'
import { stageFolder } from './running/stage.ts'

const dockerfile = readDockerfile()
const instructions = (name: string) => dockerfile.filter((one) => one.name === name)

const ignored = textOf('.dockerignore').split('\n')

/** Whether .dockerignore, which begins by ignoring everything, lets a path into the build. */
const isLetThrough = (path: string): boolean =>
  ignored.includes(`!${path.split('/')[0]}`) && !ignored.includes(path)

test('every path that it copies exists in the repository and is let through', () => {
  const sources = instructions('COPY')
    .filter(({ text }) => !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(' ').slice(0, -1))
  expect(sources.length).toBeGreaterThan(10)
  const root = new URL('../', import.meta.url)
  for (const path of sources) {
    expect(existsSync(new URL(path, root)), `${path} exists`).toBe(true)
    expect(isLetThrough(path), `.dockerignore lets ${path} through`).toBe(true)
  }
})

test('nothing of the working folder gets in that no instruction asks for', () => {
  expect(ignored.filter((line) => !line.startsWith('#'))[0]).toBe('*')
  for (const line of ['**/node_modules', '**/*.test.ts', 'packages/console/dist']) {
    expect(ignored).toContain(line)
  }
})

test('the console is built of nothing but what its stage copies', () => {
  using folder = stageFolder(0)
  const commands = instructions('RUN').filter(
    ({ stage, text }) => stage === 0 && !/^npm /.test(text),
  )
  expect(commands).toHaveLength(1)
  for (const { text } of commands) folder.run(text)
  expect(existsSync(join(folder.path, 'packages/console/dist/index.html'))).toBe(true)
})

test('the server runs of nothing but what the last stage copies, and leaves compiled code and no data', () => {
  using folder = stageFolder(2)
  const temporary = join(folder.path, 'tmp')
  mkdirSync(temporary)
  folder.run('node packages/server/scripts/compile-ahead.ts', { TMPDIR: temporary })
  expect(readdirSync(temporary)).toEqual([])
  // A folder for the version of Node and the user.
  expect(readdirSync(join(folder.path, 'node_modules/.cache/mnemograph'))).not.toEqual([])
})

test('every stage that it copies from was built before', () => {
  const names = instructions('FROM').map(({ text }) => text.split(' AS ')[1])
  const copies = instructions('COPY').filter(({ text }) => text.startsWith('--from='))
  expect(copies).toHaveLength(2)
  for (const { text, stage } of copies) {
    expect(names.slice(0, stage)).toContain(/^--from=(\S+)/.exec(text)?.[1])
  }
})

test('packages are those of the lock file, and none of their scripts runs', () => {
  const installs = instructions('RUN').filter(({ text }) => text.includes('npm '))
  expect(installs).toHaveLength(2)
  for (const { text } of installs) expect(text).toMatch(/^npm ci --ignore-scripts /)
})

test('it runs on the Node that the repository is tested with', () => {
  const node = /"node": "(\d+\.\d+\.\d+)"/.exec(textOf('package.json'))?.[1]
  const stages = instructions('FROM')
  expect(stages).toHaveLength(3)
  for (const { text } of stages) {
    expect(text.split(' ')[0]).toBe(`node:${node}-bookworm-slim`)
  }
})

test('the last user of the last stage is not root', () => {
  const last = Math.max(...dockerfile.map(({ stage }) => stage))
  const users = instructions('USER').filter(({ stage }) => stage === last)
  expect(users.at(-1)?.text).toBe('node')
})

test('the runtime of the local model is told not to report to its maker', () => {
  expect(instructions('ENV').map(({ text }) => text)).toEqual([
    expect.stringMatching(/(^| )ORT_DISABLE_TELEMETRY=1( |$)/),
  ])
})
