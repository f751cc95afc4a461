// The command line as a person starts it: a process of its own, with a data folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const PROGRAM = fileURLToPath(new URL('../../bin/mnemograph.js', import.meta.url))

/** Where its streams lead: nowhere, to the test, or to a file. */
type Streams = { stdin?: 'ignore' | 'pipe'; stdout?: 'pipe' | number; stderr?: 'pipe' | number }

type Ended = { status: number | null; stdout: string; stderr: string }

export class CommandProcess {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  /** It has ended, and all that it wrote is here. */
  readonly #closed: Promise<void>
  #isClosed = false

  constructor(
    args: string[],
    settings: Record<string, string>,
    { stdin = 'ignore', stdout = 'pipe', stderr = 'pipe' }: Streams = {},
  ) {
    this.child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...settings },
      stdio: [stdin, stdout, stderr],
    })
    this.#closed = once(this.child, 'close').then(() => {
      this.#isClosed = true
    })
    // A command that has read enough closes its end.
    this.child.stdin?.on('error', () => undefined)
    // Decoded as a stream: a character may come in two parts.
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
  }

  async ended(): Promise<Ended> {
    await this.#closed
    return { status: this.child.exitCode, stdout: this.stdout, stderr: this.stderr }
  }

  /** The address that the server printed. Rejects when it ended instead. */
  async listening(): Promise<string> {
    for (;;) {
      const address = /^listening on (\S+)$/m.exec(this.stdout)?.[1]
      if (address !== undefined) return address
      if (this.#isClosed) throw new Error(`It ended instead: ${this.stderr}`)
      await Promise.race([once(this.child.stdout ?? this.child, 'data'), this.#closed])
    }
  }
}

export type CommandLine = {
  directory: string
  run(args: string[], settings?: Record<string, string>): Promise<Ended>
  /** With these bytes on stdin. */
  feed(args: string[], input: Buffer, settings?: Record<string, string>): Promise<Ended>
  start(args: string[], settings?: Record<string, string>, streams?: Streams): CommandProcess
  [Symbol.dispose](): void
}

export function commandLine(): CommandLine {
  const directory = mkdtempSync(join(tmpdir(), 'mnemograph-command-'))
  const running = new Set<CommandProcess>()
  const start = (
    args: string[],
    settings: Record<string, string> = {},
    streams: Streams = {},
  ): CommandProcess => {
    const own = { MNEMOGRAPH_DATA_DIR: directory, PORT: '0', ...settings }
    const command = new CommandProcess(args, own, streams)
    running.add(command)
    command.child.once('close', () => running.delete(command))
    return command
  }
  return {
    directory,
    start,
    run: (args, settings) => start(args, settings).ended(),
    feed(args, input, settings) {
      const command = start(args, settings, { stdin: 'pipe' })
      command.child.stdin?.end(input)
      return command.ended()
    },
    [Symbol.dispose]() {
      for (const { child } of running) child.kill('SIGKILL')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
