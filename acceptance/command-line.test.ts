/**
 * The `keys` commands, run as a person or a script runs them beside a running server: their
 * output on stdout, their messages on stderr, their exit statuses.
 */
import { beforeAll, expect, test, vi } from 'vitest'
import { header } from './harness/answer.ts'
import { Client } from './harness/client.ts'
import { expectError } from './harness/errors.ts'
import { changeKey, type IssuedKey, issueKey, listKeys, revokeKey } from './harness/keys.ts'
import { nextMonth } from './harness/quota.ts'
import { freshDataDir, removeDataDir, runCommand } from './harness/server-process.ts'
import { dataDir, describeManaged, serviceUrl } from './harness/service.ts'

// Every case starts processes, some of them several.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const run = (...args: string[]) => runCommand(dataDir(), args)
const create = (...args: string[]) => run('keys', 'create', '--name', 'from the shell', ...args)
const keyPattern = /\bmng_[0-9A-Za-z]{49}\b/g

async function limitsOf(key: string): Promise<(string | null)[]> {
  const client = new Client(serviceUrl, key)
  const answers = [
    await client.get('/v1/entities'),
    await client.post('/v1/entities', {}),
    await client.post('/v1/memories/search', {}),
  ]
  return answers.map((answer) => header(answer, 'x-ratelimit-limit'))
}

describeManaged('mnemograph keys create', () => {
  test('keys create --json prints one object with the key, and nothing else, on stdout', async () => {
    const result = await create('--json')
    expect(result.status).toBe(0)
    const issued: unknown = JSON.parse(result.stdout)
    expect(issued).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'from the shell',
      key: expect.stringMatching(/^mng_[0-9A-Za-z]{49}$/),
      plan: 'free',
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  test('keys create prints the key once for people, too', async () => {
    const result = await create()
    expect(result.status).toBe(0)
    expect(result.stdout.match(keyPattern)?.length).toBe(1)
    expect(result.stderr).not.toMatch(keyPattern)
  })

  test('keys create gives the default plan and limits unless told otherwise', async () => {
    const { key, plan } = await issueKey(dataDir(), { plan: 'free', limits: 'default' })
    expect(plan).toBe('free')
    expect(await limitsOf(key)).toEqual(['100', '50', '30'])
    const bare = await create('--json')
    expect(await limitsOf(bare.stdout.match(keyPattern)?.[0] ?? '')).toEqual(['100', '50', '30'])
  })

  test('keys create takes each plan and each limit, as a number or as none', async () => {
    for (const plan of ['free', 'hobby', 'enterprise'] as const) {
      expect((await issueKey(dataDir(), { plan })).plan).toBe(plan)
    }
    const { key } = await issueKey(dataDir(), { limits: { read: 11, write: 'none', search: 13 } })
    expect(await limitsOf(key)).toEqual(['11', '1000000000', '13'])
  })

  test('keys create gives every key another secret and another id', async () => {
    const issued = [await issueKey(dataDir()), await issueKey(dataDir())]
    expect(new Set(issued.map((one) => one.key)).size).toBe(2)
    expect(new Set(issued.map((one) => one.id)).size).toBe(2)
  })

  test.each([
    ['no name', ['keys', 'create']],
    ['an empty name', ['keys', 'create', '--name', '']],
    ['a plan that does not exist', ['keys', 'create', '--name', 'x', '--plan', 'gold']],
    ['a limit that is no number', ['keys', 'create', '--name', 'x', '--read-limit', 'many']],
    ['a negative limit', ['keys', 'create', '--name', 'x', '--write-limit=-1']],
    ['a broken limit', ['keys', 'create', '--name', 'x', '--search-limit', '1.5']],
    ['an unknown option', ['keys', 'create', '--name', 'x', '--color', 'red']],
    ['a revocation without an id', ['keys', 'revoke']],
    ['an unknown keys command', ['keys', 'rotate-all']],
    ['an unknown command', ['serve-me']],
  ])('%s is bad usage: status 2, a message on stderr, nothing on stdout', async (_what, args) => {
    const result = await run(...args)
    expect([result.status, result.stdout]).toEqual([2, ''])
    expect(result.stderr).toMatch(/\S/)
  })
})

describeManaged('mnemograph help', () => {
  test('help lists the commands and is no failure', async () => {
    for (const args of [['--help'], ['keys', '--help'], ['keys', 'create', '--help']]) {
      const result = await run(...args)
      expect([result.status, result.stderr]).toEqual([0, ''])
      expect(result.stdout).toMatch(/usage/i)
    }
    expect((await run('--help')).stdout).toMatch(/serve[\s\S]*keys/)
  })
})

describeManaged('mnemograph keys change', () => {
  const FREE = { plan: 'free', limits: 'default' } as const

  test('a key whose quota is used up goes on with the very next request when it gets another plan', async () => {
    const { id, key } = await issueKey(dataDir(), { plan: 'free', limits: { read: 'none' } })
    const client = new Client(serviceUrl, key)
    const list = () => client.get('/v1/memories')
    for (let left = 1_000; left > 0; left -= 50) await Promise.all(Array.from({ length: 50 }, list))
    expect((await list()).status).toBe(403)
    expect(await changeKey(dataDir(), id, '--plan', 'hobby')).toMatchObject({ id, plan: 'hobby' })
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(header(answer, 'x-quota-limit')).toBe('50000')
    expect(header(answer, 'x-quota-used')).toBe('1001')
    await changeKey(dataDir(), id, '--plan', 'free')
    const refused = await list()
    const resetAt = nextMonth(new Date())
    expectError(refused, 'QUOTA_EXCEEDED', { currentUsage: 1_001, limit: 1_000, resetAt })
    expect(header(refused, 'x-quota-used')).toBe('1001')
  })

  test('limits hold from the next request on, and "default" takes one back', async () => {
    const { id, key } = await issueKey(dataDir(), FREE)
    const limits = { read: 7, write: 'none', search: 30 }
    const change = ['--read-limit', '7', '--write-limit', 'none']
    expect(await changeKey(dataDir(), id, ...change)).toEqual({ id, plan: 'free', limits })
    expect(await limitsOf(key)).toEqual(['7', '1000000000', '30'])
    await changeKey(dataDir(), id, '--read-limit', 'default')
    expect(await limitsOf(key)).toEqual(['100', '1000000000', '30'])
  })

  test('keys change tells people on stderr what the key has now', async () => {
    const { id } = await issueKey(dataDir(), FREE)
    const { status, stdout, stderr } = await run('keys', 'change', id, '--plan', 'enterprise')
    expect([status, stdout]).toEqual([0, ''])
    expect(stderr).toContain(
      `Key ${id} has the plan enterprise, and its limits a minute are: reads 100, writes 50, searches 30.`,
    )
  })

  test('of a revoked key, whose name the one that replaced it has too, keys change says that it stays so', async () => {
    const { id } = await issueKey(dataDir(), FREE)
    await revokeKey(dataDir(), id)
    const { status, stderr } = await run('keys', 'change', id, '--plan', 'hobby')
    expect(status).toBe(0)
    expect(stderr).toContain('It is revoked, and stays so.')
  })
})

describeManaged('mnemograph keys list and revoke', () => {
  let issued: IssuedKey
  beforeAll(async () => {
    issued = await issueKey(dataDir(), { name: 'listed' })
  })

  const listed = async (id: string) => (await listKeys(dataDir())).find((key) => key.id === id)

  test('keys list shows each key with name, plan, status and dates, never its secret', async () => {
    const { id, name, plan, createdAt } = issued
    expect(await listed(id)).toMatchObject({ id, name, plan, createdAt, status: 'active' })
    for (const args of [['--json'], []]) {
      const result = await run('keys', 'list', ...args)
      expect(result.status).toBe(0)
      expect(result.stdout).toContain(id)
      expect(result.stdout).not.toMatch(keyPattern)
      expect(result.stdout).not.toContain(issued.key.slice(4, 47))
    }
  })

  test('keys list on an empty store prints an empty array', async () => {
    const empty = await freshDataDir()
    expect(await listKeys(empty)).toEqual([])
    await removeDataDir(empty)
  })

  test('keys list shows when a key was last used, once it was', async () => {
    const fresh = await issueKey(dataDir())
    expect((await listed(fresh.id))?.lastUsedAt ?? null).toBeNull()
    const before = Date.now()
    await new Client(serviceUrl, fresh.key).get('/v1/entities')
    const lastUse = async () => (await listed(fresh.id))?.lastUsedAt ?? ''
    await expect.poll(lastUse, { timeout: 15_000, interval: 500 }).not.toBe('')
    expect(Math.abs(Date.parse(await lastUse()) - before)).toBeLessThan(61_000)
  })

  test('a revocation is answered with the id and the new status, and listed', async () => {
    const { id, key } = await issueKey(dataDir())
    expect(await revokeKey(dataDir(), id)).toEqual({ id, status: 'revoked' })
    expect((await listed(id))?.status).toBe('revoked')
    expect((await new Client(serviceUrl, key).get('/v1/entities')).status).toBe(401)
  })

  test('revoking one key leaves the others', async () => {
    const [doomed, kept] = [await issueKey(dataDir()), await issueKey(dataDir())]
    await revokeKey(dataDir(), doomed.id)
    expect((await new Client(serviceUrl, kept.key).get('/v1/entities')).status).toBe(200)
  })

  test('keys revoke with an unknown id is status 1 with a message on stderr', async () => {
    for (const id of ['key_unknown', 'nonsense', issued.key]) {
      for (const flags of [[], ['--json']]) {
        const result = await run('keys', 'revoke', id, ...flags)
        expect([result.status, result.stdout]).toEqual([1, ''])
        expect(result.stderr).toMatch(/\S/)
      }
    }
  })
})
