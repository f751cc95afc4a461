// `mnemograph calibrate`: embeds pairs of texts that people judged and finds out how the cosines of
// the model are carried to the scale that the score was fitted to; embeds words in general, by which
// the model can tell how common a text is; and keeps both where the next start finds them: in the
// folder of a local model, in a file of its own for a service.
// decisions/2026-11-21-model-manifest.md
import type { Config } from '../../config.ts'
import { THRESHOLD_DEFAULT } from '../../contract/bounds.ts'
import { Commonness } from '../../embedding/commonness/commonness.ts'
import { type Embedder, EmbedderUnavailable } from '../../embedding/embedder.ts'
import type { EmbedderConfig } from '../../embedding/embedder-config.ts'
import { manifestFile } from '../../embedding/local/manifest.ts'
import { calibrationOfBundledModel } from '../../embedding/model-calibration.ts'
import { localModelFolder, openEmbedder } from '../../embedding/open-embedder.ts'
import { referenceIn } from '../../embedding/reference.ts'
import type { Calibration } from '../../retrieval/calibration.ts'
import { rarityInEnglish } from '../../retrieval/rarity.ts'
import { chosenModel } from '../chosen-model.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { readText } from '../input-file.ts'
import { print } from '../output.ts'
import { expectPlace, writeCalibration, writeIntoManifest } from './calibration-file.ts'
import { figuresOf } from './figures.ts'
import { expectBothKinds, fitCosineScale } from './fit.ts'
import { referenceOf } from './model-reference.ts'
import { pairScore } from './pair-score.ts'
import { cosineOf, type EmbeddedPair, embedPairs, measured } from './pair-vectors.ts'
import { parsePairs } from './pairs.ts'
import { reportOf } from './report.ts'

export type CalibrateFlags = { pairs: string; model?: string; out?: string; dryRun?: boolean }

/** What is kept. The reference of a service is empty. */
type Made = { calibration: Calibration; reference: Buffer }

export async function calibrateCommand(config: Config, flags: CalibrateFlags): Promise<void> {
  const bundled = { kind: 'local' as const, workers: config.embedding.workers }
  const chosen = chosenModel(config, flags.model) ?? bundled
  const keep = keeperFor(chosen, flags)
  const pairs = parsePairs(readText(flags.pairs))
  expectBothKinds(pairs)
  const embedder = await openEmbedder(chosen, { isCalibrated: false })
  try {
    process.stderr.write(`Embedding ${pairs.length} pairs with ${embedder.model.id}…\n`)
    const embedded = await embedPairs(embedder, pairs)
    const cosine = fitCosineScale(embedded.map((pair) => ({ ...pair, cosine: cosineOf(pair) })))
    const reference = await referenceFor(embedder, chosen)
    const made = { calibration: { ...calibrationOfBundledModel(), cosine }, reference }
    // Kept before it is printed: it took minutes, and whoever reads the output may have stopped.
    const place = keep?.(made)
    await print(reported(embedder.model, embedded, made))
    if (place !== undefined) process.stderr.write(`Written to ${place}.\n`)
  } catch (error) {
    if (!(error instanceof EmbedderUnavailable)) throw error
    throw new CommandFailure(`The model failed on a text. ${error.reason}`)
  } finally {
    await embedder.close()
  }
}

/** None of a service: it would take money for every word, and for keeping none it has a number. */
async function referenceFor(embedder: Embedder, { kind }: EmbedderConfig): Promise<Buffer> {
  if (kind !== 'local') return Buffer.of()
  process.stderr.write('Embedding the words that tell how common a text is…\n')
  return referenceOf(embedder)
}

function reported(
  model: Embedder['model'],
  pairs: readonly EmbeddedPair[],
  { calibration, reference }: Made,
): string {
  const rarity = rarityInEnglish()
  const figures = (of: Calibration, judged: readonly EmbeddedPair[]) =>
    figuresOf(
      judged.map((pair) => ({ rating: pair.rating, score: pairScore(pair, of, rarity) })),
      THRESHOLD_DEFAULT,
    )
  const words = reference.length / model.dimension
  const commonness = new Commonness(referenceIn(reference, model.dimension))
  return reportOf({
    model: model.id,
    calibration,
    words,
    before: figures(model.calibration, pairs),
    after: figures(
      calibration,
      words > 0 ? pairs.map((pair) => measured(pair, commonness)) : pairs,
    ),
  })
}

/** Returns where it wrote to. */
type Keep = (made: Made) => string

/** Undefined when nothing is to be kept. Refuses what makes no sense or cannot be, before anything is embedded. */
function keeperFor(chosen: EmbedderConfig, { out, dryRun }: CalibrateFlags): Keep | undefined {
  if (chosen.kind === 'local') {
    if (out !== undefined) {
      throw new UsageFailure('--out is for a service; a local model keeps it in its manifest.')
    }
    if (dryRun) return undefined
    if (chosen.modelDirectory === undefined) {
      throw new UsageFailure(
        'Say with --model which folder: without it, it is the bundled model, whose calibration all stores share ' +
          'and which has one. --dry-run shows what yours would be.',
      )
    }
    const file = manifestFile(localModelFolder(chosen.modelDirectory))
    return (made) => {
      writeIntoManifest(file, made)
      return file
    }
  }
  if (dryRun) return undefined
  if (out === undefined) {
    throw new UsageFailure('A service has no manifest: name a file with --out.')
  }
  expectPlace(out)
  return ({ calibration }) => {
    writeCalibration(out, calibration)
    return `${out}; name it with MNEMOGRAPH_EMBEDDING_CALIBRATION`
  }
}
