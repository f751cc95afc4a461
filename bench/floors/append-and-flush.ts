// The least that a durable write can cost: appending bytes to a file, and flushing it to the disk.
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../../eval/statistics/metrics.ts'

const TIMES = 50

/** In milliseconds. */
export function appendAndFlush(directory: string, bytes: number): number {
  const file = join(directory, 'floor')
  const descriptor = openSync(file, 'a')
  try {
    const block = Buffer.alloc(bytes, 7)
    const tookMs = Array.from({ length: TIMES }, () => {
      const startMs = performance.now()
      writeSync(descriptor, block)
      fdatasyncSync(descriptor)
      return performance.now() - startMs
    })
    return median(tookMs)
  } finally {
    closeSync(descriptor)
    rmSync(file)
  }
}
