// What the system lets this process have, by the names of Linux.
import { readFileSync } from 'node:fs'

/** Undefined where there is no bound, or where the system does not tell it as Linux does. */
export function processLimit(name: 'Max file size' | 'Max open files'): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
