// `mnemograph reembed`: moves the store to the model that is chosen, or, without a choice, makes the vectors
// of its own model anew. It works on the store directly, also while servers use it, which go on with the
// old vectors until the switch and follow it with their next request.
// decisions/2026-11-21-reembedding.md
import type { Config } from '../../config.ts'
import { isSameModel, NotEmbedded, type Outcome, reembed } from '../../core/reembed.ts'
import { openEmbedder } from '../../embedding/open-embedder.ts'
import { modelToRenew } from '../../model-of-store.ts'
import { sourceOf, vectorModel } from '../../model-source.ts'
import type { ReembeddingStore, VectorModel } from '../../storage/generation.ts'
import { openReembedding, placeOf } from '../../store-of-config.ts'
import { chosenModel } from '../chosen-model.ts'
import { CommandFailure } from '../failure.ts'
import { explainedInterruption, interrupted } from '../interruption.ts'
import { print } from '../output.ts'
import { Progress } from '../progress.ts'
import { onStopSignal } from '../stop-signal.ts'
import { stepBack } from './step-back.ts'

export type ReembedFlags = { model?: string; dryRun?: boolean; status?: boolean; restart?: boolean }

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

export async function reembedCommand(config: Config, flags: ReembedFlags): Promise<void> {
  if (flags.status) {
    await showStatus(config)
    return
  }
  const store = await openReembedding(config, { onlyLook: flags.dryRun === true })
  try {
    stepBack()
    const chosen = chosenModel(config, flags.model) ?? modelToRenew(await store.state(), config)
    const embedder = await openEmbedder(chosen)
    try {
      const model = vectorModel(embedder, sourceOf(chosen))
      if (flags.dryRun) {
        say(await plan(store, model, flags))
        return
      }
      const progress = new Progress(process.stderr)
      const stop = onStopSignal()
      const outcome = await reembed(store, {
        embedder,
        model,
        restart: flags.restart === true,
        stop,
        onWait: () => progress.heldUp(WAITING),
        onAway: ({ reason }) => progress.heldUp(`Waiting for the model: ${reason}`),
        onProgress: (done, all) => progress.show(done, all),
        onSwitched: () => {
          progress.end()
          say('The new vectors are in use. The old ones are being removed.')
        },
      }).finally(() => progress.end())
      say(report(outcome, model, placeOf(config)))
    } finally {
      await embedder.close()
    }
  } catch (error) {
    throw explained(error)
  } finally {
    await store.close()
  }
}

const WAITING =
  'Others have been using the vectors for some seconds, such as a backup. The move begins when they are done.'

function explained(error: unknown): unknown {
  if (error instanceof NotEmbedded) return notEmbedded(error)
  return explainedInterruption(error)
}

function notEmbedded({ memoryId, cause }: NotEmbedded): CommandFailure {
  if (!cause.isTransient) {
    return interrupted(
      `The model failed on the memory ${memoryId}. ${cause.reason} It would again: mend that first.`,
    )
  }
  return interrupted(
    `The model does not answer any more, for the memory ${memoryId} among others. ${cause.reason}`,
  )
}

/** What a person is told. Throws what the command could not do. */
function report(outcome: Outcome, model: VectorModel, place: string): string {
  switch (outcome.kind) {
    case 'moved':
      return (
        `The store uses ${name(model)} now. Servers follow by themselves; a setting of theirs that ` +
        'names the old model has to be changed before their next start.'
      )
    case 'nothing-to-do':
      return `The store uses ${name(model)} already. To make all its vectors again, add --restart.`
    case 'empty':
      throw new CommandFailure(
        `The store in ${place} has no vectors yet: start the server with the model instead.`,
      )
    case 'stopped':
      throw interrupted('Stopped.')
    case 'other':
      throw new CommandFailure(unfinished(outcome.growing, model))
  }
}

/** No settings make another version of the software prepare the texts. */
const unfinished = (growing: VectorModel, model: VectorModel): string =>
  growing.piecesVersion === model.piecesVersion
    ? `A move to ${name(growing)} is unfinished, and this one is to ${name(model)}. Finish it with the ` +
      'settings of that model, or give it up by adding --restart.'
    : `A move to ${name(growing)} is unfinished, which another version of this software began. This one ` +
      `cannot finish it. Give it up by adding --restart: then all is moved to ${name(model)}.`

/** What a run with the same words, and without --dry-run, would do. */
async function plan(
  store: ReembeddingStore,
  model: VectorModel,
  { restart = false }: ReembedFlags,
) {
  const { current, growing } = await store.state()
  const { memories, embedded } = await store.progress()
  if (current === undefined) return 'The store has no vectors yet. Nothing would be done.'
  if (growing !== undefined && !restart && !isSameModel(growing, model)) {
    return unfinished(growing, model)
  }
  if (growing === undefined && !restart && isSameModel(current, model)) {
    return `The store uses ${name(model)} already. Nothing would be done.`
  }
  const left = growing === undefined || restart ? memories : memories - embedded
  return `${left} of ${memories} memories would be embedded, from ${name(current)} to ${name(model)}.`
}

async function showStatus(config: Config): Promise<void> {
  const store = await openReembedding(config, { onlyLook: true })
  try {
    const { current, growing, hasRetired } = await store.state()
    const lines = [`model: ${current === undefined ? 'none yet' : name(current)}`]
    if (growing !== undefined) {
      const { memories, embedded } = await store.progress()
      lines.push(`moving to: ${name(growing)}`, `embedded: ${embedded} of ${memories} memories`)
    }
    if (hasRetired) lines.push('old vectors are still to be removed: run the same command again')
    await print(lines.map((line) => `${line}\n`).join(''))
  } finally {
    await store.close()
  }
}

const name = ({ id, dimension, piecesVersion }: VectorModel): string =>
  `${id} (${dimension} dimensions, pieces version ${piecesVersion})`
