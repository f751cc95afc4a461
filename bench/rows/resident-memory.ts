// Resident memory of a process, as the operating system counts it.
import { execFileSync } from 'node:child_process'

export const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
