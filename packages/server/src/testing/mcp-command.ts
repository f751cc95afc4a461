// `mnemograph mcp` as a client starts it: messages go in as lines and come out as lines.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { type CommandProcess, commandLine } from './command.ts'
import { listenDuringTest } from './listen-during-test.ts'

const NOBODYS_KEY = 'mng_a_key_of_nobody'

export type Started = {
  command: CommandProcess
  /** A text as it stands, anything else as JSON. */
  send: (...lines: unknown[]) => void
  /** The next message that it wrote. Rejects when it ended instead. */
  next: () => Promise<ReturnType<typeof Object>>
  /** Ends its stdin. How it ended, with what nobody has asked for with `next`. */
  end: () => Promise<{ status: number | null; rest: unknown[]; stderr: string }>
}

/** Gone when the test has finished. */
export function startMcp(address: string, key = NOBODYS_KEY, ...args: string[]): Started {
  const cli = commandLine()
  onTestFinished(() => cli[Symbol.dispose]())
  const words = ['mcp', '--url', address, '--key-from-env', 'KEY', ...args]
  const command = cli.start(words, { KEY: key }, { stdin: 'pipe' })
  const { child } = command
  let taken = 0
  const lines = () => command.stdout.split('\n').slice(taken, -1)
  const ended = once(child, 'close')
  return {
    command,
    send(...given) {
      for (const line of given) {
        child.stdin?.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
      }
    },
    async next() {
      for (;;) {
        const [line] = lines()
        if (line !== undefined) {
          taken += 1
          return Object(JSON.parse(line))
        }
        if (child.exitCode !== null) throw new Error(`It ended instead: ${command.stderr}`)
        await Promise.race([once(child.stdout ?? child, 'data'), ended])
      }
    },
    async end() {
      child.stdin?.end()
      const { status, stdout, stderr } = await command.ended()
      expect(stdout + stderr).not.toContain(key)
      return { status, rest: lines().map((line): unknown => JSON.parse(line)), stderr }
    },
  }
}

type Posted = { message: ReturnType<typeof Object>; headers: IncomingMessage['headers'] }

/** A server that answers messages as a test wants it to. Its address. */
export async function answeringServer(
  answer: (posted: Posted, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const message: unknown = JSON.parse(await text(request))
    answer({ message: Object(message), headers: request.headers }, response)
  })
  return `http://127.0.0.1:${await listenDuringTest(server)}`
}

export const answerTo = (id: unknown, result: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })
