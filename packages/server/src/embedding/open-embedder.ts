// From configuration to the embedder that it asks for.
import { pathToFileURL } from 'node:url'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import type { Embedder } from './embedder.ts'
import type { EmbedderConfig } from './embedder-config.ts'
import { openLocalEmbedder } from './local/local-embedder.ts'
import { readManifest } from './local/manifest.ts'
import { withRememberedQueries } from './remembered-queries.ts'

/**
 * Resolves when it can embed. Throws an EmbedderRefusal when it cannot be started. Without `isCalibrated`,
 * what `mnemograph calibrate` has written is not even read: it may be of another version, to be made anew.
 */
export const openEmbedder = async (
  config: EmbedderConfig,
  { isCalibrated = true } = {},
): Promise<Embedder> => withRememberedQueries(await openModel(config, { isCalibrated }))

async function openModel(
  config: EmbedderConfig,
  { isCalibrated }: { isCalibrated: boolean },
): Promise<Embedder> {
  if (config.kind === 'openai') {
    // Only then, since most starts are without it.
    const { openOpenAiEmbedder } = await import('./openai/openai-embedder.ts')
    return openOpenAiEmbedder(isCalibrated ? config : { ...config, calibrationFile: undefined })
  }
  return openLocalEmbedder({
    folder: localModelFolder(config.modelDirectory),
    workers: config.workers,
    isCalibrated,
  })
}

/** What stores remember their vectors by when the bundled model made them. */
export const bundledModelId = (): string => readManifest(modelFolder).id

/** Where a local model lies; without a directory, the bundled one. */
export const localModelFolder = (directory: string | undefined): URL =>
  directory === undefined ? modelFolder : pathToFileURL(`${directory}/`)
