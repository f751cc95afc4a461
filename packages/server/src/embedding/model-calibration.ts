// The calibration of a model as it is stored: in the manifest of a local model, or in a file of its
// own for a service. A model that has none gets the bundled model's, whose numbers were fitted to
// people's judgements; `mnemograph calibrate` carries another model's cosines to its scale. How little the
// bundled model reads of other scripts says nothing about another model.
// decisions/2026-11-21-model-manifest.md
import { readFileSync } from 'node:fs'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { Type } from 'typebox'
import { errorCodeOf } from '../error-code.ts'
import { fits } from '../fits.ts'
import { type Calibration, SCRIPTS } from '../retrieval/calibration.ts'
import { EmbedderRefusal } from './embedder.ts'
import { type Allowed, fieldComplaint } from './field-complaint.ts'

const closed = { additionalProperties: false }
/** Nothing may count against a memory that has more of it. */
const weight = Type.Number({ minimum: 0, maximum: 10 })

const Weights = Type.Object(
  {
    coverage: weight,
    names: weight,
    askingMemory: weight,
    commonness: Type.Object({ memory: weight, query: weight }, closed),
    border: Type.Number({ minimum: -100, maximum: 100 }),
    sharpness: Type.Number({ minimum: 0.1, maximum: 1_000 }),
  },
  closed,
)

export const ModelCalibration = Type.Object(
  {
    version: Type.Literal(3),
    cosine: Type.Object(
      {
        // Above 0, so that nearer stays nearer.
        scale: Type.Number({ minimum: 0.01, maximum: 100 }),
        offset: Type.Number({ minimum: -100, maximum: 100 }),
      },
      closed,
    ),
    sentence: Type.Object(
      { share: Type.Number({ minimum: 0, maximum: 1 }), lead: Type.Number({ minimum: 0 }) },
      closed,
    ),
    commonnessTypical: Type.Number({ minimum: -1, maximum: 1 }),
    asking: Weights,
    nameless: Weights,
    stating: Weights,
    scripts: Type.Optional(
      Type.Partial(
        Type.Record(Type.Enum([...SCRIPTS]), Type.Number({ minimum: 0, maximum: 1 })),
        closed,
      ),
    ),
  },
  closed,
)

export const CALIBRATION_ALLOWED: Allowed = {
  '/version': '3: run `mnemograph calibrate` again',
  '/cosine': 'an object with "scale" and "offset"',
  '/cosine/scale': 'a number from 0.01 to 100',
  '/cosine/offset': 'a number from -100 to 100',
  '/sentence': 'an object with "share" and "lead"',
  '/commonnessTypical': 'a number from -1 to 1',
  '/scripts': `an object with some of ${SCRIPTS.join(', ')}`,
  '/scripts/*': 'a number from 0 to 1',
  ...Object.fromEntries(
    ['asking', 'nameless', 'stating'].flatMap((kind) =>
      ['', ...Object.keys(Weights.properties).map((field) => `/${field}`)].map((path) => [
        `/${kind}${path}`,
        'what `mnemograph calibrate` writes',
      ]),
    ),
  ),
}

const Calibrated = Type.Object({ calibration: ModelCalibration })
let ofBundledModel: Calibration | undefined

export function calibrationOfBundledModel(): Calibration {
  ofBundledModel ??= readBundled()
  return ofBundledModel
}

function readBundled(): Calibration {
  const value: unknown = JSON.parse(readFileSync(new URL('manifest.json', modelFolder), 'utf8'))
  if (!fits(Calibrated, value)) throw new Error('The bundled model has no calibration.')
  const { scripts: _, ...calibration } = value.calibration
  return calibration
}

/** Throws an EmbedderRefusal. */
export function readCalibrationFile(file: string): Calibration {
  const value = parsed(file)
  if (fits(ModelCalibration, value)) return value
  const complaint = fieldComplaint(ModelCalibration, CALIBRATION_ALLOWED, value)
  throw new EmbedderRefusal(`In ${file} ${complaint}`)
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const isOfFile = error instanceof Error && errorCodeOf(error) !== ''
    throw new EmbedderRefusal(
      `${file}, which MNEMOGRAPH_EMBEDDING_CALIBRATION names, cannot be read` +
        (isOfFile ? ` (${error.message}).` : ' as JSON.'),
      error,
    )
  }
}
