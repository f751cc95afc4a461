// Which model somebody has chosen for a command: the folder that its words name, or else what the settings
// name. Undefined when nobody has.
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { EmbedderConfig } from '../embedding/embedder-config.ts'

export function chosenModel(
  { embedder, embedding }: Config,
  folder: string | undefined,
): EmbedderConfig | undefined {
  if (folder === undefined) return embedder
  return { kind: 'local', workers: embedding.workers, modelDirectory: resolve(folder) }
}
