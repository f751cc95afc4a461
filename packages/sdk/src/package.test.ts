// The package as users get it: packed, unpacked where nothing else of the repository is, run by Node as plain
// JavaScript, and checked by the compiler with its own declarations. The examples of the documents are
// programs that do what they show, against a real service.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runService } from '../../server/src/testing/running-service.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemograph-sdk-'))
  const packed = ['pack', '--workspace', '@mnemograph/sdk', '--pack-destination', folder]
  await run('npm', [...packed, '--offline', '--silent'], { cwd: REPOSITORY })
  await run('tar', ['-xzf', 'mnemograph-sdk-0.1.0.tgz'], { cwd: folder })
  const place = join(folder, 'node_modules/@mnemograph')
  mkdirSync(place, { recursive: true })
  cpSync(join(folder, 'package'), join(place, 'sdk'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

/** The complaints of the compiler, with the declarations of libraries checked too. */
async function complaints(files: string[], options: object): Promise<string> {
  const strict = { strict: true, noEmit: true, target: 'es2022', noUncheckedIndexedAccess: true }
  const compilerOptions = { ...strict, verbatimModuleSyntax: true, types: [], ...options }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  return run(process.execPath, [TSC, '-p', 'tsconfig.json'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}
const OF_NODE = {
  module: 'nodenext',
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [join(REPOSITORY, 'node_modules/@types')],
  skipLibCheck: true,
}
const OF_BROWSERS = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] }

test('it holds compiled code, types, its licence and a readme, and no source or test', () => {
  const files = readdirSync(join(folder, 'package'), { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => !name.startsWith('dist')).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ])
  const compiled = files.filter((name) => name.startsWith('dist/'))
  expect(compiled.length).toBeGreaterThan(20)
  for (const name of compiled) expect(name).toMatch(/^dist\/[a-z-]+\.(js|d\.ts)$/)
})

test('Node runs it as it is, without types', async () => {
  write(
    'plain.js',
    `import { ApiError, ConnectionError, Mnemograph, MnemographError, TimeoutError } from '@mnemograph/sdk'
    const text = async () => '{"error": {"code": "UNAUTHORIZED", "message": "No."}}'
    const fetch = async () => ({ status: 401, headers: new Headers(), text })
    const error = await new Mnemograph({ apiKey: 'k', fetch }).memories.get('a').catch((e) => e)
    const [isOurs, isBase] = [error instanceof ApiError, error instanceof MnemographError]
    console.log(JSON.stringify([isOurs, isBase, error.code, ConnectionError.name, TimeoutError.name]))`,
  )
  const { stdout } = await run(process.execPath, ['plain.js'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual([
    true,
    true,
    'UNAUTHORIZED',
    'ConnectionError',
    'TimeoutError',
  ])
})

test('its types hold in Node and in browsers, and say what is wrong', async () => {
  const lines = [
    "import { ApiError, type Memory, Mnemograph, type Page, type MemoryListItem } from '@mnemograph/sdk'",
    "export const mnemograph = new Mnemograph({ apiKey: 'k', fetch })",
    "const memo = { content: 'a', userId: 'b', tags: ['a'] } as const",
    'export const memory: Memory = await mnemograph.memories.create(memo)',
    'export const page: Page<MemoryListItem> = await mnemograph.memories.list({ tags: memo.tags })',
    'export const isOver = (error: unknown) => error instanceof ApiError && error.code === "QUOTA_EXCEEDED"',
    'for await (const { content } of mnemograph.memories.all()) content.trim()',
  ]
  write('right.ts', lines.join('\n'))
  write(
    'wrong.ts',
    [...lines, "await mnemograph.memories.search({ query: 'a', user: 'b' })"].join('\n'),
  )
  for (const options of [OF_NODE, OF_BROWSERS]) {
    expect(await complaints(['right.ts'], options)).toBe('')
    expect(await complaints(['wrong.ts'], options)).toMatch(/^wrong\.ts\(8,\d+\): error TS2353/)
  }
})

const CLIENT = `import { Mnemograph } from '@mnemograph/sdk'
const mnemograph = new Mnemograph({ apiKey: process.env.KEY })
`

/** The programs that a document shows; those that make no client get one. */
const programsOf = (document: string): string[] =>
  [...readFileSync(join(REPOSITORY, document), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, program = '']) => (program.includes('new Mnemograph(') ? program : CLIENT + program),
  )

test.each([
  ['docs/sdk.md', 7],
  ['README.md', 1],
  ['packages/sdk/README.md', 1],
])('the examples of %s are programs that run', async (document, count) => {
  await using service = await runService()
  const programs = programsOf(document).map((program) =>
    program.replace('new Mnemograph({', `$& baseUrl: '${service.address}',`),
  )
  expect(programs).toHaveLength(count)
  const names = programs.map((_, index) => `example-${index}.ts`)
  for (const [index, name] of names.entries()) write(name, programs[index] ?? '')
  expect(await complaints(names, OF_NODE)).toBe('')
  const { key } = await service.newKey()
  const env = { ...process.env, KEY: key }
  const printed = names.map(async (name) => {
    const { stdout, stderr } = await run(process.execPath, [name], { cwd: folder, env })
    return stdout + stderr
  })
  expect(await Promise.all(printed)).not.toContainEqual(expect.stringMatching(/error/i))
})
