// From a text to the ids that a model reads: prefix, special tokens, and never more than it can read.
// A query and a passage may carry different prefixes; what a prefix takes is missing for the text.
import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { inFirstPerson } from '../owner.ts'
import type { CountTokens, PieceSize } from '../pieces.ts'
import { legible } from './legible.ts'
import type { Manifest } from './manifest.ts'

/** Models with two prefixes tell a question from what may answer it. */
export type Role = 'query' | 'passage'

export type TokenReader = {
  /** Tokens of a text, neither prefix nor special tokens counted. */
  countTokens: CountTokens
  /** The largest piece that is read whole. */
  pieceSize(role: Role): PieceSize
  idsOf(text: string, role: Role): number[]
  /** Whether one of the ids stands for whatever the model does not know. */
  hasUnknown(ids: readonly number[]): boolean
  /** Whether the model knows nothing of it but its punctuation. */
  isUnread(text: string): boolean
  /** As many as a text of one piece can have. */
  mostIds(role: Role): number[]
}

/** Less room for a text than this is no room. */
const PIECE_TOKENS_MIN = 8

/** Throws when the file is no tokenizer or the prefixes leave no room for a text. */
export function openTokenReader(file: string, manifest: Manifest): TokenReader {
  const { tokenizer, isWordPiece, unknownId } = tokenizerIn(file)
  const prepared = isWordPiece ? legible : (text: string): string => text
  const prefixes: Record<Role, string> = {
    query: manifest.queryPrefix ?? '',
    passage: manifest.passagePrefix ?? '',
  }
  const countTokens: CountTokens = (text) =>
    tokenizer.encode(prepared(text), { add_special_tokens: false }).ids.length
  const specialTokens = tokenizer.encode('').ids.length
  const idsWithin = (text: string, role: Role, tokensMax: number): number[] =>
    withinLimit(tokenizer.encode(prepared(prefixes[role] + inFirstPerson(text))).ids, tokensMax)
  const sizes: Record<Role, PieceSize> = { query: sizeFor('query'), passage: sizeFor('passage') }

  function sizeFor(role: Role): PieceSize {
    const room = manifest.maxTokens - specialTokens - countTokens(prefixes[role])
    if (room < PIECE_TOKENS_MIN) {
      throw new Error(`Its "${role}Prefix" leaves no room for a text within "maxTokens".`)
    }
    const tokensMax = Math.min(manifest.pieces.tokensMax, room)
    return {
      tokensMax,
      overlapTokens: Math.min(manifest.pieces.overlapTokens, Math.floor(tokensMax / 2)),
    }
  }

  return {
    countTokens,
    pieceSize: (role) => sizes[role],
    idsOf: (text, role) => idsWithin(text, role, manifest.maxTokens),
    hasUnknown: (ids) => unknownId !== undefined && ids.includes(unknownId),
    isUnread: (text) => {
      const words = prepared(text.replace(/\p{P}/gu, ' '))
      const ids: number[] = tokenizer.encode(words, { add_special_tokens: false }).ids
      return ids.length > 0 && ids.every((id) => id === unknownId)
    },
    mostIds: (role) => {
      const { tokensMax } = sizes[role]
      const around = specialTokens + countTokens(prefixes[role])
      return idsWithin('a '.repeat(tokensMax), role, tokensMax + around)
    },
  }
}

type OpenedTokenizer = {
  tokenizer: Tokenizer
  isWordPiece: boolean
  /** Undefined for one that takes any text apart into what it knows. */
  unknownId: number | undefined
}

function tokenizerIn(file: string): OpenedTokenizer {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!hasModel(content)) throw new Error('It has no "model".')
    const tokenizer = new Tokenizer(content, {})
    const { type, unk_token: name, unk_id: id } = content.model
    return {
      tokenizer,
      isWordPiece: type === 'WordPiece',
      unknownId: typeof name === 'string' ? tokenizer.token_to_id(name) : idIn(id),
    }
  } catch (error) {
    throw new Error(`${file} is not a tokenizer that can be read.`, { cause: error })
  }
}

const idIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** By hand, because the schema compiler would cost every worker 7 MB. */
const hasModel = (
  content: unknown,
): content is { model: { type?: unknown; unk_token?: unknown; unk_id?: unknown } } =>
  typeof content === 'object' &&
  content !== null &&
  'model' in content &&
  typeof content.model === 'object' &&
  content.model !== null

/**
 * A piece fits, unless one character of it takes very many tokens; a sentence may be too long. What is
 * too much is cut off, the closing token kept.
 */
function withinLimit(ids: number[], maxTokens: number): number[] {
  if (ids.length <= maxTokens) return ids
  return [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)]
}
