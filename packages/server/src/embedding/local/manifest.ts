// Describes a model's folder: which files, and how a text becomes a vector. Everything that a local
// model needs, so that another model is another folder and no other code. A field that means nothing
// is refused with what is allowed: a mistyped prefix would only show as bad results, months later.
// decisions/2026-11-21-model-manifest.md
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { fits } from '../../fits.ts'
import { isObject } from '../../parsed-json.ts'
import type { Calibration } from '../../retrieval/calibration.ts'
import { EmbedderRefusal } from '../embedder.ts'
import { type Allowed, fieldComplaint } from '../field-complaint.ts'
import {
  CALIBRATION_ALLOWED,
  calibrationOfBundledModel,
  ModelCalibration,
} from '../model-calibration.ts'
import type { PieceSize } from '../pieces.ts'

/** Chosen by measurement: see EVALUATION.md. */
const PIECES_DEFAULT: PieceSize = { tokensMax: 128, overlapTokens: 32 }

/** As `mnemograph calibrate` names the file that it writes. */
export const REFERENCE_NAME = 'reference.bin'

const SHA256 = { pattern: '^[0-9a-f]{64}$' }

const Manifest = Type.Object(
  {
    /** What a store remembers its vectors by. No colon: such names are those of services. */
    id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$' }),
    origin: Type.Optional(Type.String()),
    license: Type.Optional(Type.String()),
    /** The ONNX file, relative to the folder. */
    model: Type.String({ minLength: 1 }),
    /** The tokenizer.json, relative to the folder. */
    tokenizer: Type.String({ minLength: 1 }),
    /** By the name of a file, of any in the folder: weights may lie beside the ONNX file. */
    sha256: Type.Optional(Type.Record(Type.String(), Type.String(SHA256))),
    dimension: Type.Integer({ minimum: 1, maximum: 8_192 }),
    /** How many tokens the model reads, prefix and special tokens counted. */
    maxTokens: Type.Integer({ minimum: 16, maximum: 1_000_000 }),
    /** Needed when the model's output has a vector for each token. */
    pooling: Type.Optional(Type.Enum(['cls', 'mean', 'last'])),
    /** The model's output to use; the first one when absent. */
    output: Type.Optional(Type.String({ minLength: 1 })),
    queryPrefix: Type.Optional(Type.String({ maxLength: 1_000 })),
    passagePrefix: Type.Optional(Type.String({ maxLength: 1_000 })),
    pieces: Type.Optional(
      Type.Object(
        {
          tokensMax: Type.Integer({ minimum: 8, maximum: 1_000_000 }),
          overlapTokens: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
        },
        { additionalProperties: false },
      ),
    ),
    /** The file that tells how common a text is; see ../reference.ts. */
    reference: Type.Optional(Type.String({ minLength: 1 })),
    /** Written by `mnemograph calibrate`. */
    calibration: Type.Optional(ModelCalibration),
  },
  { additionalProperties: false },
)
export type Manifest = Static<typeof Manifest> & {
  pieces: PieceSize
  calibration: Calibration
}
export type Pooling = NonNullable<Manifest['pooling']>

const CHECKSUM = '64 hexadecimal digits in lower case'
const ALLOWED: Allowed = {
  '/id': '1 to 200 letters, digits and . _ - / that begin with a letter or digit',
  '/origin': 'a text',
  '/license': 'a text',
  '/model': 'the name of the ONNX file in this folder',
  '/tokenizer': 'the name of the tokenizer.json in this folder',
  '/sha256': 'an object with the names of files and their checksums',
  '/sha256/*': CHECKSUM,
  '/dimension': 'a whole number from 1 to 8192',
  '/maxTokens': 'a whole number from 16 to 1000000',
  '/pooling': 'one of: cls, mean, last',
  '/output': "the name of one of the model's outputs",
  '/queryPrefix': 'a text of at most 1000 characters',
  '/passagePrefix': 'a text of at most 1000 characters',
  '/pieces': 'an object with "tokensMax" and "overlapTokens"',
  '/pieces/tokensMax': 'a whole number from 8 to 1000000',
  '/pieces/overlapTokens': 'a whole number from 0 to half of "pieces.tokensMax"',
  '/reference': 'the name of the file that `mnemograph calibrate` writes',
  '/calibration': 'what `mnemograph calibrate` writes',
  ...Object.fromEntries(
    Object.entries(CALIBRATION_ALLOWED).map(([path, text]) => [`/calibration${path}`, text]),
  ),
}

export const manifestFile = (folder: URL): string => join(fileURLToPath(folder), 'manifest.json')

/**
 * Throws an EmbedderRefusal that names the field and what is allowed. Without `isCalibrated`, what
 * `mnemograph calibrate` has written is passed over, and its checksum.
 */
export function readManifest(
  folder: URL,
  { isCalibrated = true }: { isCalibrated?: boolean | undefined } = {},
): Manifest {
  const file = manifestFile(folder)
  const manifest = isCalibrated ? parsed(file) : uncalibrated(parsed(file))
  if (!fits(Manifest, manifest)) {
    throw new EmbedderRefusal(`In ${file} ${fieldComplaint(Manifest, ALLOWED, manifest)}`)
  }
  const pieces = manifest.pieces ?? PIECES_DEFAULT
  if (2 * pieces.overlapTokens > pieces.tokensMax) {
    const allowed = ALLOWED['/pieces/overlapTokens']
    throw new EmbedderRefusal(`In ${file} "pieces.overlapTokens" must be ${allowed}.`)
  }
  return { ...manifest, pieces, calibration: manifest.calibration ?? calibrationOfBundledModel() }
}

function uncalibrated(value: unknown): unknown {
  if (!isObject(value)) return value
  const { calibration: _, reference, ...rest } = value
  const { sha256 } = rest
  if (typeof sha256 !== 'object' || sha256 === null) return rest
  const isOfOthers = ([name]: [string, unknown]) => name !== reference && name !== REFERENCE_NAME
  return { ...rest, sha256: Object.fromEntries(Object.entries(sha256).filter(isOfOthers)) }
}

function parsed(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new EmbedderRefusal(
      `There is no ${file} to read. A model's folder needs one: see docs/models.md.`,
      error,
    )
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new EmbedderRefusal(`${file} is not JSON.`, error)
  }
}
