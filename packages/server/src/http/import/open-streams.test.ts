// That a stream is open exactly as long as somebody is at its other end.
import { afterEach, expect, test, vi } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { ImportConnection, importAll, settled } from '../../testing/import-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { OpenStreams } from './open-streams.ts'

let service: TestService | undefined
afterEach(async () => {
  await service?.[Symbol.asyncDispose]()
  service = undefined
})

const OWNER = { keyId: 'key_1', asker: 'account_1' }

test('a client that leaves before it is admitted leaves nothing open', async () => {
  service = await runService()
  const { key } = await service.newKey()
  const { admission } = service.service
  const admit = admission.admit.bind(admission)
  const asked = vi.spyOn(admission, 'admit')
  for (let client = 0; client < 3; client += 1) {
    const left = Promise.withResolvers<void>()
    asked.mockImplementationOnce(async (...request) => {
      await left.promise
      return admit(...request)
    })
    const connection = new ImportConnection(service.address, key)
    await expect.poll(() => asked.mock.calls.length).toBe(client + 1)
    connection.destroy()
    await connection.closed
    await settled()
    left.resolve()
    await settled()
  }
  const { text } = await apiClient(service.address)('GET', '/metrics')
  expect(text).toContain('mnemograph_import_streams 0')
  const answers = await importAll(service.address, key, '{"content":"c","userId":"u"}\n')
  expect(answers.at(-1)).toEqual({ summary: { created: 1, repeated: 0, refused: 0 } })
  // Ends, since nothing is waited for.
  await service.stop()
})

test('no stream is opened any more when the service stops', () => {
  const streams = new OpenStreams(0)
  streams.expectRoom(OWNER)
  streams.stopAll()
  expect(() => streams.expectRoom(OWNER)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('The service is stopping'),
      headers: { 'retry-after': '10' },
    }),
  )
})

/** As many as may be opened, one for each owner; returns what ends them. */
function open(streams: OpenStreams, owners: { keyId: string; asker: string }[]) {
  return owners.map((owner) => {
    streams.expectRoom(owner)
    return streams.add({ ...owner, stop: () => undefined })
  })
}

test('all accounts together have 32 streams open at most, and one that ends makes room', () => {
  const streams = new OpenStreams(0)
  const owner = (number: number) => ({ keyId: `key_${number}`, asker: `account_${number}` })
  const ends = open(
    streams,
    Array.from({ length: 32 }, (_, number) => owner(number)),
  )
  expect(() => streams.expectRoom(owner(32))).toThrow('Too many imports are open')
  ends[7]?.()
  expect(() => streams.expectRoom(owner(32))).not.toThrow()
})

test('the last eight places are for accounts that have no stream open, whatever the keys of another', () => {
  const streams = new OpenStreams(0)
  const owner = (number: number) => ({ keyId: `key_${number}`, asker: 'account_1' })
  const ends = open(
    streams,
    Array.from({ length: 24 }, (_, number) => owner(number)),
  )
  expect(() => streams.expectRoom(owner(24))).toThrow('Too many imports are open')
  const [endOther] = open(streams, [{ keyId: 'key_other', asker: 'account_2' }])
  expect(() => streams.expectRoom({ keyId: 'key_second', asker: 'account_2' })).toThrow(
    'Too many imports are open',
  )
  ends[0]?.()
  endOther?.()
  expect(() => streams.expectRoom(owner(24))).not.toThrow()
})

test('a stop waits for no stream that has ended', async () => {
  const hourMs = 60 * 60 * 1000
  const streams = new OpenStreams(hourMs)
  const [first, second] = ['key_1', 'key_2'].map((keyId) =>
    streams.add({ keyId, asker: keyId, stop: () => undefined }),
  )
  first?.()
  streams.stopAll()
  const ended = streams.allEnded()
  second?.()
  await ended
})

test('a stop waits for a stream that is open, until it ends', async () => {
  const hourMs = 60 * 60 * 1000
  const streams = new OpenStreams(hourMs)
  const end = streams.add({ ...OWNER, stop: () => undefined })
  streams.stopAll()
  const heard: string[] = []
  const ended = streams.allEnded().then(() => heard.push('all ended'))
  await settled()
  heard.push('the stream ends')
  end()
  await ended
  expect(heard).toEqual(['the stream ends', 'all ended'])
})

test('a stop does not wait for a stream that never ends', async () => {
  const streams = new OpenStreams(50)
  streams.add({ ...OWNER, stop: () => undefined })
  streams.stopAll()
  await streams.allEnded()
})
