// A server that takes nothing for minutes, as one with a slow model does.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { listenDuringTest } from '../../../testing/listen-during-test.ts'
import { ImportRequest } from './import-request.ts'

afterEach(() => vi.useRealTimers())

test('a connection that takes nothing is not written to again only to keep it open', async () => {
  const server = createServer((socket) => socket.pause())
  const url = `http://127.0.0.1:${await listenDuringTest(server)}`
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const warned = vi.fn()
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const request = new ImportRequest({ url, key: 'mng_key' })
  onTestFinished(() => request.close())
  await once(server, 'connection')
  const written = request.write(Buffer.alloc(32 * 1024 * 1024))
  vi.advanceTimersByTime(5 * 60_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warned).not.toHaveBeenCalled()
  request.close()
  await written
})
