// An import that is asked to stop when all of its archive was read ends as one that is done. A file on stdin
// is no stream that closes by itself.
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { sourceOf } from '../../core/archive/testing/arbitrary-records.ts'
import { archiveText } from '../../core/archive/write-archive.ts'
import { systemClock } from '../../core/clock.ts'
import { newFolder } from '../../testing/new-folder.ts'
import { STANDARD_STREAM } from '../input-file.ts'
import { importArchiveCommand } from './import-archive.ts'

const close = vi.hoisted(() => vi.fn(async () => undefined))

vi.mock(import('../../store-of-config.ts'), async (original) => ({
  ...(await original()),
  openArchiveTarget: async () => ({
    begin: async () => ({ blocks: 0, checksum: '', isFinished: false }),
    add: async () => undefined,
    finish: async () => {
      process.emit('SIGINT')
      await nextTurn()
    },
    close,
  }),
}))

test('a signal behind the last record of a file on stdin does not end the process', async () => {
  const text = archiveText(sourceOf([]), { clock: systemClock, onBlock: () => undefined })
  const file = join(newFolder(), 'archive.jsonl')
  writeFileSync(file, (await Array.fromAsync(text)).join(''))
  const input = createReadStream(file, { autoClose: false })
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    Object.defineProperty(process, 'stdin', stdin)
    stderr.mockRestore()
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  })
  await importArchiveCommand(readConfig({}), STANDARD_STREAM)
  expect(close).toHaveBeenCalledOnce()
  expect(input.errored).toBe(null)
})
