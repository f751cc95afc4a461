// With several instances a month is the database's, and the console tells of the same one as the API.
import { expect, inject, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { joinConsole, setUpConsole } from '../../testing/console-client.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService } from '../../testing/running-service.ts'
import { setClock } from '../../testing/set-clock.ts'

const server = inject('postgresUrl')
const TWO_MONTHS_MS = 62 * 24 * 60 * 60 * 1000

test.skipIf(server === undefined)(
  'an instance whose clock is in another month shows the usage of the month that the quota is in',
  async () => {
    const database = await newDatabase(server ?? '')
    try {
      for (const aheadMs of [TWO_MONTHS_MS, -TWO_MONTHS_MS]) {
        const clock = setClock(Date.now() + aheadMs)
        await using service = await runService({ settings: { DATABASE_URL: database.url }, clock })
        const client =
          aheadMs > 0
            ? await setUpConsole(service)
            : await joinConsole(service, 'member@example.com')
        const made = await client.post('/keys', { name: 'app', plan: 'free' })
        const { key, secret } = Object(made.body)
        const { headers } = await apiClient(service.address, secret)('GET', '/v1/memories')
        const resetAt = headers.get('x-quota-reset')
        const usage = { used: 1, limit: 1000, resetAt }
        expect(headers.get('x-quota-used')).toBe('1')
        expect((await client.get('/keys')).body).toMatchObject({ items: [{ id: key.id, usage }] })
        expect((await client.get(`/keys/${key.id}`)).body).toMatchObject({ key: { usage } })
        expect((await client.get(`/keys/${key.id}/usage`)).body).toMatchObject(usage)
      }
    } finally {
      await database.drop()
    }
  },
)

test.skipIf(server === undefined)(
  'an instance whose clock is ahead by years removes nothing that has not run out by the clock of the database',
  async () => {
    const database = await newDatabase(server ?? '')
    try {
      const settings = { DATABASE_URL: database.url }
      await using service = await runService({ settings })
      const client = await setUpConsole(service)
      const made = await client.post('/keys', { name: 'app', plan: 'free' })
      const { key, secret } = Object(made.body)
      await apiClient(service.address, secret)('GET', '/v1/memories')
      await client.post('/invitations', { email: 'member@example.com', plans: ['free'] })
      expect((await client.get(`/keys/${key.id}/usage`)).status).toBe(200)
      const clock = setClock(Date.now() + 12 * TWO_MONTHS_MS)
      await using ahead = await runService({ settings, clock })
      await ahead.console.sweep()
      const today = { operations: { 'memories.list': 1 } }
      expect((await client.get(`/keys/${key.id}/usage`)).body).toMatchObject({
        days: expect.arrayContaining([expect.objectContaining(today)]),
      })
      expect((await client.get('/invitations')).body).toMatchObject({
        items: [{ email: 'member@example.com' }],
      })
    } finally {
      await database.drop()
    }
  },
)
