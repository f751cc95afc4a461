// Memories that are sent to a running server, as a person does it: what arrives, and what is told.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { many, memory, toJsonLines } from '../../testing/import-client.ts'
import { importCommand } from '../../testing/import-command.ts'
import { runService } from '../../testing/running-service.ts'

const shared = await runService()
afterAll(() => shared?.[Symbol.asyncDispose]())

test('a file is imported whole, once however often it is sent', async () => {
  const { file, run, total } = await importCommand({ shared })
  const path = file(toJsonLines(many(500)))
  const first = await run(path)
  expect(first).toMatchObject({ status: 0, stdout: '' })
  expect(first.stderr).toMatch(/^500 of 500 memories \(100 %\)/m)
  expect(first.stderr).toContain('Imported: 500. There already: 0. Refused: 0.')
  const again = await run(path)
  expect(again).toMatchObject({ status: 0 })
  expect(again.stderr).toContain('Imported: 0. There already: 500. Refused: 0.')
  expect(await total()).toBe(500)
})

test('equal lines are memories of their own, unless they have one key of their own', async () => {
  const { file, run, total } = await importCommand({ shared })
  const own = { ...memory('a'), idempotencyKey: 'own' }
  const { stderr } = await run(file(toJsonLines([memory('a'), memory('a'), own, own])))
  expect(stderr).toContain('Imported: 3. There already: 1.')
  expect(await total()).toBe(3)
})

test('a line whose key is null is stored once, however often it is sent', async () => {
  const { file, run, total } = await importCommand({ shared })
  const path = file(toJsonLines([{ ...memory('a'), idempotencyKey: null }]))
  expect((await run(path)).stderr).toContain('Imported: 1.')
  expect((await run(path)).stderr).toContain('Imported: 0. There already: 1.')
  expect(await total()).toBe(1)
})

test('stdin is read as it comes, and nobody has to know how much it is', async () => {
  const { cli, settings, to } = await importCommand({ shared })
  const input = Buffer.from(`\ufeff${toJsonLines(many(20))}\r\n${JSON.stringify(memory('last'))}`)
  const { status, stderr } = await cli.feed(['import', '-', ...to()], input, settings)
  expect([status, stderr]).toEqual([0, expect.stringContaining('Imported: 21.')])
  expect(stderr).toMatch(/^21 memories/m)
})

test('refused lines are told with number and reason, the others go in, and the status is 1', async () => {
  const { cli, key, file, run } = await importCommand({ shared })
  const lines = `${toJsonLines([memory('a')])}\n{"content":"c"}\n{}\nno json\n\xff\n`
  const long = 'x'.repeat(1024 * 1024 + 1)
  const path = file(`${lines}${long}\n${toJsonLines([memory('b')])}`)
  const { status, stderr } = await run(path)
  expect(status).toBe(1)
  expect(stderr).toContain('Imported: 2. There already: 0. Refused: 5.')
  expect(stderr).toContain('line 3: INVALID_USER_ID: userId must be')
  expect(stderr).toContain('line 4: VALIDATION_ERROR: content must be')
  expect(stderr).toContain('line 5: VALIDATION_ERROR: The line is not valid JSON.')
  expect(stderr).toContain('line 7: PAYLOAD_TOO_LARGE')
  expect(stderr).not.toContain(key.key)
  const refused = join(cli.directory, 'refused.jsonl')
  expect(await run(path, '--refused', refused)).toMatchObject({ status: 1 })
  const told = readFileSync(refused, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).line)
  expect(told.toSorted()).toEqual([3, 4, 5, 6, 7])
  expect(statSync(refused).mode & 0o077).toBe(0)
})

test('a file can be taken up from a line on, and without some of its lines', async () => {
  const { file, run, total } = await importCommand({ shared })
  const path = file(toJsonLines(many(10)))
  const { stderr } = await run(path, '--from-line', '8')
  expect(stderr).toContain('3 of 3 memories')
  expect(await total()).toBe(3)
  const without = await run(path, '--from-line', '2', '--except', '3,5-7')
  expect(without.stderr).toContain('Imported: 2. There already: 3.')
  expect((await run(path)).stderr).toContain('Imported: 5. There already: 5.')
})
