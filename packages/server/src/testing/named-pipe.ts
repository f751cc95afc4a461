// A pipe that is read only when a test says so. The pipes that Node makes for its children are sockets, which
// take more, and in other pieces.
import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder } from './new-folder.ts'

export type NamedPipe = {
  /** The end to write to, which blocks when the pipe is full, as that of a shell does. */
  writer: number
  /** What the pipe holds now, all of it. */
  read(): Buffer
  /** From now on there is nobody who could read, */
  closeReader(): void
  /** and now there is somebody again. */
  openReader(): void
}

/** What Linux lets a pipe hold. */
export const PIPE_BYTES = 64 * 1024

/** Until the end of the test. */
export function namedPipe(): NamedPipe {
  const path = join(newFolder(), 'pipe')
  const { status } = spawnSync('mkfifo', [path])
  if (status !== 0) throw new Error('mkfifo makes no pipe')
  let reader: number | undefined
  const openReader = (): void => {
    reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  }
  const closeReader = (): void => {
    if (reader !== undefined) closeSync(reader)
    reader = undefined
  }
  // Whoever opens a pipe to write waits for its reader.
  openReader()
  const writer = openSync(path, constants.O_WRONLY)
  onTestFinished(() => {
    closeReader()
    closeSync(writer)
  })
  return {
    writer,
    openReader,
    closeReader,
    read() {
      if (reader === undefined) return Buffer.alloc(0)
      const bytes = Buffer.alloc(2 * PIPE_BYTES)
      try {
        return bytes.subarray(0, readSync(reader, bytes))
      } catch (error) {
        // There is nothing in it.
        if (Object(error).code === 'EAGAIN') return Buffer.alloc(0)
        throw error
      }
    },
  }
}
