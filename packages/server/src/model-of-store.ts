// Which model a start uses: the one that the settings name, or else the one that the store was made
// with, or else the bundled one. Settings that name another model than the store's are refused, in
// words that say how to move the store: vectors of two models cannot be compared.
// decisions/2026-11-21-reembedding.md
import { existsSync } from 'node:fs'
import type { Config } from './config.ts'
import type { OpenedModel } from './core/model-in-use.ts'
import type { Embedder } from './embedding/embedder.ts'
import type { EmbedderConfig } from './embedding/embedder-config.ts'
import { manifestFile } from './embedding/local/manifest.ts'
import { bundledModelId, localModelFolder, openEmbedder } from './embedding/open-embedder.ts'
import { PIECES_VERSION } from './embedding/pieces-version.ts'
import { configOf, sourceOf, vectorModel } from './model-source.ts'
import type { Generation, GenerationStore, ModelSource } from './storage/generation.ts'
import { StoreRefusal } from './storage/store.ts'
import { placeOf, type StoreConfig } from './store-of-config.ts'

type ModelConfig = StoreConfig & Pick<Config, 'embedder' | 'embedding'>

export type StartedModel = OpenedModel & {
  /**
   * Opens the model of a generation that came into use since. A key and a calibration of the settings are
   * for the service that these or the store named at the start; after a local model, for the first that
   * was opened.
   */
  open: (generation: Generation) => Promise<Embedder>
}

/** `embedder` stands for a chosen one. Throws an EmbedderRefusal or a StoreRefusal. */
export async function openModelAtStart(
  config: ModelConfig,
  generations: GenerationStore,
  {
    embedder,
    onOtherPieces,
  }: { embedder: Embedder | undefined; onOtherPieces: (of: Generation) => void },
): Promise<StartedModel> {
  const stored = await generations.current()
  let bound = boundTo(stored, config)
  async function open(generation: Generation): Promise<Embedder> {
    const followed = await openModelOfGeneration(generation, bound)
    bound = boundTo(generation, bound)
    return followed
  }
  const { opened, source } =
    embedder === undefined
      ? await openChosen(config.embedder ?? configOfStore(stored, bound))
      : { opened: embedder, source: undefined }
  try {
    const current = await generations.adopt(vectorModel(opened, source))
    expectSame(current, opened, placeOf(config))
    // Of a later version too: one that went back to this version has them, as long as the schema stayed.
    if (current.piecesVersion !== PIECES_VERSION) onOtherPieces(current)
    return { embedder: opened, generation: current.number, open }
  } catch (error) {
    if (opened !== embedder) await opened.close()
    throw error
  }
}

/**
 * The model that a store names: that of an unfinished move, or else its own, or else the bundled one.
 * Throws a StoreRefusal.
 */
export function modelToRenew(
  { current, growing }: Record<'current' | 'growing', Generation | undefined>,
  config: ModelConfig,
): EmbedderConfig {
  return configOfStore(growing ?? current, boundTo(current, config))
}

const openChosen = async (chosen: EmbedderConfig) => ({
  opened: await openEmbedder(chosen),
  source: sourceOf(chosen),
})

async function openModelOfGeneration(
  generation: Generation,
  config: ModelConfig,
): Promise<Embedder> {
  const embedder = await openEmbedder(configOfStore(generation, config))
  try {
    expectSame(generation, embedder, placeOf(config))
    return embedder
  } catch (error) {
    await embedder.close()
    throw error
  }
}

/** Settings that name no service name that of the generation, if it has one. */
function boundTo(generation: Generation | undefined, config: ModelConfig): ModelConfig {
  const source = generation?.source
  if (config.embedder?.kind === 'openai' || source?.kind !== 'openai') return config
  return { ...config, embedder: configOf(source, generation?.dimension ?? 0, config) }
}

function configOfStore(stored: Generation | undefined, config: ModelConfig): EmbedderConfig {
  const source = stored ? storedSource(stored, config) : { kind: 'bundled' as const }
  return configOf(source, stored?.dimension ?? 0, config)
}

function storedSource({ id, source }: Generation, config: ModelConfig): ModelSource {
  const place = placeOf(config)
  if (source?.kind === 'local') expectManifest({ id, place, folder: source.folder })
  if (source !== undefined) return source
  if (id === bundledModelId()) return { kind: 'bundled' }
  throw new StoreRefusal(
    `The vectors in ${place} were made by the model ${id}, and the store does not know ` +
      'where that is found: name it with MNEMOGRAPH_EMBEDDER or MNEMOGRAPH_MODEL_DIR this once.',
  )
}

type Remembered = { id: string; place: string; folder: string }

function expectManifest({ id, place, folder }: Remembered): void {
  if (existsSync(manifestFile(localModelFolder(folder)))) return
  throw new StoreRefusal(
    `The vectors in ${place} were made by the model ${id}, which the store remembers in ${folder}, ` +
      'where no manifest.json is to be read. Name the place where it is now with MNEMOGRAPH_MODEL_DIR.',
  )
}

function expectSame(stored: Generation, { model }: Embedder, place: string): void {
  if (stored.id === model.id && stored.dimension === model.dimension) return
  throw new StoreRefusal(
    `The vectors in ${place} were made by the model ${stored.id} (${stored.dimension} ` +
      `dimensions), but this start uses ${model.id} (${model.dimension}). Vectors of two models ` +
      'cannot be compared. To move the store to the new model, run `mnemograph reembed` with the ' +
      'same settings as this start. To keep the old one, leave out the settings that name a model.',
  )
}
