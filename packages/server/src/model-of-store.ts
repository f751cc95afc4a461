// Which model a start uses: the one that the settings name, or else the one that the store was made
// with, or else the bundled one. Settings that name another model than the store's are refused, in
// words that say how to move the store: vectors of two models cannot be compared.
// decisions/2026-11-21-reembedding.md
import type { Config } from './config.ts'
import type { OpenedModel } from './core/model-in-use.ts'
import type { Embedder } from './embedding/embedder.ts'
import type { EmbedderConfig } from './embedding/embedder-config.ts'
import { bundledModelId, openEmbedder } from './embedding/open-embedder.ts'
import { PIECES_VERSION } from './embedding/pieces-version.ts'
import { configOf, sourceOf, vectorModel } from './model-source.ts'
import type { Generation, GenerationStore, ModelSource } from './storage/generation.ts'
import { StoreRefusal } from './storage/store.ts'
import { placeOf, type StoreConfig } from './store-of-config.ts'

type ModelConfig = StoreConfig & Pick<Config, 'embedder' | 'embedding'>

/** `embedder` stands for a chosen one. Throws an EmbedderRefusal or a StoreRefusal. */
export async function openModelAtStart(
  config: ModelConfig,
  generations: GenerationStore,
  {
    embedder,
    onOldPieces,
  }: { embedder: Embedder | undefined; onOldPieces: (of: Generation) => void },
): Promise<OpenedModel> {
  const stored = await generations.current()
  const { opened, source } =
    embedder === undefined
      ? await openChosen(config.embedder ?? configOfStore(stored, config))
      : { opened: embedder, source: undefined }
  try {
    const current = await generations.adopt(vectorModel(opened, source))
    expectSame(current, opened, placeOf(config))
    if (current.piecesVersion < PIECES_VERSION) onOldPieces(current)
    return { embedder: opened, generation: current.number }
  } catch (error) {
    if (opened !== embedder) await opened.close()
    throw error
  }
}

const openChosen = async (chosen: EmbedderConfig) => ({
  opened: await openEmbedder(chosen),
  source: sourceOf(chosen),
})

/** Opens the model of a generation that came into use while the server ran. */
export async function openModelOfGeneration(
  generation: Generation,
  config: ModelConfig,
): Promise<Embedder> {
  const source = storedSource(generation, config)
  const embedder = await openEmbedder(configOf(source, generation.dimension, config))
  try {
    expectSame(generation, embedder, placeOf(config))
    return embedder
  } catch (error) {
    await embedder.close()
    throw error
  }
}

function configOfStore(stored: Generation | undefined, config: ModelConfig) {
  const source = stored ? storedSource(stored, config) : { kind: 'bundled' as const }
  return configOf(source, stored?.dimension ?? 0, config)
}

function storedSource({ id, source }: Generation, config: ModelConfig): ModelSource {
  if (source !== undefined) return source
  if (id === bundledModelId()) return { kind: 'bundled' }
  throw new StoreRefusal(
    `The vectors in ${placeOf(config)} were made by the model ${id}, and the store does not know ` +
      'where that is found: name it with MNEMOGRAPH_EMBEDDER or MNEMOGRAPH_MODEL_DIR this once.',
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
