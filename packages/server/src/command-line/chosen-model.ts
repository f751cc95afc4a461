// Which model a command is about: the folder that its words name, or else the one of the settings, or
// else the bundled one.
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { EmbedderConfig } from '../embedding/embedder-config.ts'

export function chosenModel(
  { embedder, embedding }: Config,
  folder: string | undefined,
): EmbedderConfig {
  const modelDirectory = folder === undefined ? undefined : resolve(folder)
  if (modelDirectory !== undefined || embedder === undefined) {
    return { kind: 'local', workers: embedding.workers, modelDirectory }
  }
  return embedder
}
