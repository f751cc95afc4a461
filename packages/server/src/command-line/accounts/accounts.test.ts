// The links that the command line prints, against a service on the same folder.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandLine } from '../../testing/command.ts'
import { ConsoleClient, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const cli = commandLine()
afterAll(() => cli[Symbol.dispose]())

test.each([
  [['invite'], 'email'],
  [['invite', 'no address'], 'e-mail address'],
  [['invite', '<anna@example.com>'], 'e-mail address'],
  [['invite', 'anna@example.com,'], 'e-mail address'],
  [['invite', `${'a'.repeat(243)}@example.com`], 'e-mail address'],
  [['invite', 'a@example.com', '--plans', 'gold'], 'free, hobby, enterprise'],
  [['reset', 'no address'], 'e-mail address'],
  [['nope'], 'unknown command'],
])('bad usage %j is told with status 2', async (args, text) => {
  const { status, stdout, stderr } = await cli.run(['accounts', ...args])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(text)
})

describe('beside a service', () => {
  let service: TestService
  beforeEach(async () => {
    service = await runService()
  })
  afterEach(() => service[Symbol.asyncDispose]())

  const run = (args: string[], settings: Record<string, string> = {}) =>
    cli.run(['accounts', ...args], { MNEMOGRAPH_DATA_DIR: service.directory, ...settings })
  const enter = async (url: string, json: object) => {
    const client = new ConsoleClient(service.address)
    const token = new URL(url).hash.slice(1)
    return { client, answer: await client.post('/links/use', { token, ...json }) }
  }

  test('a set-up link works once, while the server runs; then there is an account', async () => {
    const older = await run(['setup-link'])
    const newer = await run(['setup-link', '--json'], { PORT: '4321' })
    expect(older).toMatchObject({ status: 0, stderr: expect.stringContaining('works once') })
    const { url, email, expiresAt } = JSON.parse(newer.stdout)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4321\/console\/link#[\w-]{22}$/)
    expect(email).toBeNull()
    const leftMs = Date.parse(expiresAt) - Date.now()
    expect(leftMs).toBeGreaterThan(25 * 60_000)
    expect(leftMs).toBeLessThanOrEqual(30 * 60_000)
    const anna = { email: 'anna@example.com', password: PASSWORD }
    expect((await enter(older.stdout.trim(), anna)).answer.code).toBe('LINK_NOT_VALID')
    expect((await enter(url, anna)).answer.status).toBe(201)
    const late = await run(['setup-link'])
    expect(late).toMatchObject({ status: 1, stdout: '' })
    expect(late.stderr).toContain('There is an account already.')
    expect((await run(['list'])).stdout).toMatch(
      /^acc_\w+\tadministrator\t\S+Z\tanna@example\.com\n$/,
    )
  })

  test('nobody is invited before there is an administrator, and it is told how to become one', async () => {
    const early = await run(['invite', 'bea@example.com'])
    expect(early).toMatchObject({ status: 1, stdout: '' })
    expect(early.stderr).toContain('There is no account yet')
    expect(early.stderr).toContain('"accounts setup-link"')
    await setUpConsole(service)
    const invited = await run(['invite', 'bea@example.com'])
    const { answer } = await enter(invited.stdout.trim(), { password: PASSWORD })
    expect(answer.body).toMatchObject({ account: { role: 'member', plans: ['free'] } })
  })

  test('invitations and resets are for those whom they are for', async () => {
    await setUpConsole(service)
    const invited = await run(['invite', 'bea@example.com', '--plans', 'free', 'hobby', 'free'], {
      MNEMOGRAPH_PUBLIC_URL: 'https://memory.example.com',
    })
    expect(invited.stderr).not.toContain('PORT')
    expect(invited.stdout).toMatch(/^https:\/\/memory\.example\.com\/console\/link#[\w-]{22}\n$/)
    const bea = await enter(invited.stdout.trim(), { password: PASSWORD })
    expect(bea.answer.body).toMatchObject({
      account: { email: 'bea@example.com', role: 'member', plans: ['free', 'hobby'] },
    })
    expect(await run(['invite', 'BEA@example.com'])).toMatchObject({ status: 1, stdout: '' })
    expect(await run(['reset', 'nobody@example.com'])).toMatchObject({ status: 1, stdout: '' })
    const reset = await run(['reset', 'bea@example.com'])
    expect(reset.stderr).toContain('the address that HOST and PORT name')
    expect((await enter(reset.stdout.trim(), { password: 'another password' })).answer.status).toBe(
      201,
    )
    expect((await bea.client.get('/session')).status).toBe(401)
  })

  test('without an account the list says what to do', async () => {
    expect(await run(['list'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('accounts setup-link'),
    })
    expect((await run(['list', '--json'])).stdout).toBe('[]\n')
  })

  test('an address that the console takes is one here, whatever its letters', async () => {
    const rare = `${'𠮷'.repeat(240)}@example.com`
    await setUpConsole(service, rare)
    expect(await run(['reset', rare])).toMatchObject({ status: 0 })
    expect(await run(['invite', '😀@example.com'])).toMatchObject({ status: 0 })
  })

  test('no address in the list commands the terminal or turns its text around', async () => {
    await setUpConsole(service, 'anna\u202e@example.com')
    expect((await run(['list'])).stdout).toContain('anna\ufffd@example.com\n')
    expect((await run(['list', '--json'])).stdout).toContain('anna\\u202e@example.com')
  })
})
