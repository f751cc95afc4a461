// How many connections there may be. Each takes one of the open files that the system grants a process, and
// whoever likes may connect: with none left nothing else can be opened, and a store that cannot look at its
// own log ends the process. Beyond the bound a connection is closed as soon as it comes.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** For the store and its threads, connections to a database or a model. A start takes some 80. */
const OTHER_FILES = 256

export function boundConnections(app: FastifyInstance): void {
  const files = openFilesMax()
  if (files !== undefined) app.server.maxConnections = connectionsMax(files)
}

/** Of so many open files; where they are few, half of them. */
export const connectionsMax = (files: number): number =>
  Math.max(files - OTHER_FILES, Math.floor(files / 2))

/** Undefined where the system has no bound, or does not tell it as Linux does. */
function openFilesMax(): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
