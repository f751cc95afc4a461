import { expect, onTestFinished, test, vi } from 'vitest'
import { environmentFor } from './server-process.ts'

test('a server of a measurement keeps its data in its folder, whatever the environment names', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('DATABASE_URL', 'postgres://somebody@db.example.com/memories')
  vi.stubEnv('MNEMOGRAPH_DATA_DIR', '/srv/memories')
  const environment = environmentFor('/tmp/measured')
  expect(environment).toMatchObject({ DATABASE_URL: '', MNEMOGRAPH_DATA_DIR: '/tmp/measured' })
})
