// Builds the console into dist, with a .br and a .gz beside each file that compresses, so that the server has
// nothing to compress. Does nothing when the sources have not changed: `npm ci` and the tests run it often.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const stamp = join(dist, '.sources')
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'package.json',
  'tsconfig.json',
  'public/**',
  'src/**',
]
const SHARED = [
  '../server/src/contract/*.ts',
  '../server/src/console/contract/*.ts',
  '../../package-lock.json',
  '../../tsconfig.json',
]

const files = globSync([...SOURCES, ...SHARED], { cwd: root }).map((file) => join(root, file))
files.push(import.meta.filename)
const hash = createHash('sha256')
for (const file of files.filter((name) => statSync(name).isFile()).sort()) {
  hash.update(file).update(readFileSync(file))
}
const digest = hash.digest('hex')

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) {
  process.stdout.write('The console is built.\n')
} else {
  // A test runner or a shell may have set another value, which would bundle React's development build.
  process.env['NODE_ENV'] = 'production'
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  for (const file of globSync('**/*.{html,js,css,svg}', { cwd: dist })) {
    const content = readFileSync(join(dist, file))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(join(dist, `${file}.br`), brotliCompressSync(content, { params }))
    writeFileSync(join(dist, `${file}.gz`), gzipSync(content, { level: 9 }))
  }
  writeFileSync(stamp, digest)
  process.stdout.write('Built the console.\n')
}
