// How many connections there may be. Each takes one of the open files that the system grants a process, and
// whoever likes may connect: with none left nothing else can be opened, and a store that cannot look at its
// own log ends the process. Beyond the bound a connection is closed as soon as it comes.
import type { FastifyInstance } from 'fastify'
import { processLimit } from '../../process-limit.ts'

/** For the store and its threads, connections to a database or a model. A start takes some 80. */
const OTHER_FILES = 256

export function boundConnections(app: FastifyInstance): void {
  const files = processLimit('Max open files')
  if (files !== undefined) app.server.maxConnections = connectionsMax(files)
}

/** Of so many open files; where they are few, half of them. */
export const connectionsMax = (files: number): number =>
  Math.max(files - OTHER_FILES, Math.floor(files / 2))
