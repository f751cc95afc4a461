// Makes a stage of the Dockerfile in a temporary folder, without a builder: the files that the stage copies
// and .dockerignore lets through, with the packages that are installed here.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDockerfile } from '../reading/dockerfile.ts'
import { textOf } from '../reading/text.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const ignored = textOf('.dockerignore')
  .split('\n')
  .filter((line) => /^[^#!]/.test(line) && line !== '*')

type StageFolder = {
  path: string
  /** Runs a command in the folder, as RUN does; if it fails, throws its output. */
  run(command: string, settings?: Record<string, string>): void
  [Symbol.dispose](): void
}

export function stageFolder(stage: number): StageFolder {
  const path = mkdtempSync(join(tmpdir(), 'mnemograph-stage-'))
  for (const { name, text, stage: of } of readDockerfile()) {
    if (name !== 'COPY' || of !== stage || text.startsWith('--from=')) continue
    const words = text.split(' ')
    const target = words.at(-1) ?? ''
    for (const source of words.slice(0, -1)) {
      const to = target.endsWith('/')
        ? join(path, target, source.split('/').at(-1) ?? '')
        : join(path, target)
      mkdirSync(join(to, '..'), { recursive: true })
      const filter = (file: string) => isCopied(relative(repository, file))
      cpSync(join(repository, source), to, { recursive: true, filter })
    }
  }
  const packages = join(path, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    // Not .cache, so that what is compiled in the folder stays in it.
    if (!name.startsWith('.'))
      symlinkSync(join(repository, 'node_modules', name), join(packages, name))
  }
  return {
    path,
    run(command, settings) {
      const { status, stdout, stderr } = spawnSync(command, {
        cwd: path,
        env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, ...settings },
        shell: true,
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`)
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

const isCopied = (file: string): boolean =>
  !ignored.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`))
