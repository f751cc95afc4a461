// In a container the server may be the first process, which a signal does not end by itself.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { PROGRAM } from '../../testing/command.ts'
import { listenOnLoopback } from '../../testing/listen-on-loopback.ts'

/** Needs a right that not every machine gives. */
const AS_FIRST_PROCESS = ['--pid', '--fork', '--kill-child']
const isAllowed = spawnSync('unshare', [...AS_FIRST_PROCESS, 'true']).status === 0

test.skipIf(!isAllowed)(
  'the first process of a container ends by a signal while it starts',
  async () => {
    // A database that says nothing: the start waits for it.
    const silent = createServer()
    const port = await listenOnLoopback(silent)
    onTestFinished(() => void silent.close())
    const around = spawn('unshare', [...AS_FIRST_PROCESS, process.execPath, PROGRAM, 'serve'], {
      env: { ...process.env, DATABASE_URL: `postgres://somebody@127.0.0.1:${port}/nothing` },
      stdio: 'ignore',
    })
    onTestFinished(() => void around.kill('SIGKILL'))
    const ended = once(around, 'exit')
    await once(silent, 'connection')
    const [server] = readFileSync(`/proc/${around.pid}/task/${around.pid}/children`, 'utf8').split(
      ' ',
    )
    process.kill(Number(server), 'SIGTERM')
    expect(await ended).toEqual([128 + 15, null])
  },
)
