import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { serveStaticFiles } from './static-files.ts'

let directory: string
beforeEach(() => {
  directory = newFolder()
})

function get(path: string) {
  const app = Fastify()
  serveStaticFiles(app, directory)
  return app.inject({ url: path })
}

test('a console that was not built says on every address how to build it', async () => {
  for (const path of ['/', '/keys', '/link']) {
    const { statusCode, headers, body } = await get(path)
    expect(statusCode).toBe(503)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('npm run build --workspace packages/console')
  }
})

test('a built console is served, its hashed files for ever, and nothing outside its folder', async () => {
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'index.html'), 'the page')
  writeFileSync(join(directory, 'assets/index-AbCdEf12.js'), 'the script')
  expect((await get('/keys')).body).toBe('the page')
  const script = await get('/assets/index-AbCdEf12.js')
  expect(script.body).toBe('the script')
  expect(script.headers['cache-control']).toContain('immutable')
  expect((await get('/assets/index-other123.js')).statusCode).not.toBe(200)
  expect((await get('/..%2fpackage.json')).statusCode).not.toBe(200)
})

test('a folder that cannot be read is told at the start, and not taken for a console that was not built', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  expect(() => serveStaticFiles(Fastify(), file)).toThrow(/ENOTDIR/)
})
