// Connections leave open files for everything else, so that nobody ends the process by connecting often.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { newFolder } from '../../testing/new-folder.ts'
import { connectionsMax } from './count.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/mnemograph.js', import.meta.url))
const FILES = 200

test('most open files are for connections, and where there are few half of them', () => {
  expect([FILES, 512, 1_024, 20_000].map(connectionsMax)).toEqual([100, 256, 768, 19_744])
})

test.skipIf(platform() !== 'linux')(
  'a client that connects more often than the process may open files ends nothing',
  async () => {
    const limited = `ulimit -n ${FILES} && exec "$@"`
    const command = ['-c', limited, 'sh', process.execPath, PROGRAM, 'serve']
    const env = { PATH: process.env['PATH'], PORT: '0', MNEMOGRAPH_DATA_DIR: newFolder() }
    const server = spawn('sh', command, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    let printed = ''
    while (!/^listening on \S+$/m.test(printed)) printed += (await once(server.stdout, 'data'))[0]
    const address = /^listening on (\S+)$/m.exec(printed)?.[1] ?? ''

    const open = new Set<Socket>()
    const { hostname, port } = new URL(address)
    for (let count = 0; count < FILES + 100; count += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    }
    await expect.poll(() => open.size).toBe(connectionsMax(FILES))
    for (const socket of open) socket.destroy()
    await expect.poll(() => open.size).toBe(0)
    const answer = await apiClient(address)('GET', '/readyz')
    expect(answer.status).toBe(200)
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
