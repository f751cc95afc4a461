// Describes the machine, without which figures mean nothing, by nothing that identifies it.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { cacheFolder } from '../data/cache-folder.ts'

export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  disk: string
  system: string
  node: string
}

export const describeMachine = (): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  disk: diskKind(),
  system: `${type()} ${release().replace(/-.*/, '')}`,
  node: process.versions.node,
})

/** The kind of the disk that holds the benchmark's stores. */
function diskKind(): string {
  try {
    const { dev } = statSync(cacheFolder())
    const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
    const device = realpathSync(`/sys/dev/block/${major}:${minor}`)
    if (device.includes('/virtio')) return 'a virtual disk (virtio)'
    if (device.includes('/nvme')) return 'NVMe'
    return isRotating(device) ? 'a rotating disk' : 'a disk without moving parts'
  } catch {
    return 'unknown'
  }
}

/** A partition has no queue of its own: then the disk's counts, one folder up. */
function isRotating(device: string): boolean {
  for (const folder of [device, `${device}/..`]) {
    try {
      return readFileSync(`${folder}/queue/rotational`, 'utf8').trim() === '1'
    } catch {
      // Not here.
    }
  }
  return false
}
