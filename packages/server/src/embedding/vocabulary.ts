// The words of English by frequency, from the bundled tokenizer: the reference of a model's commonness is
// made of them, and `npm run stems` derives from them how rare the stem of a term is in English.
import { readFileSync } from 'node:fs'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { Type } from 'typebox'
import { fits } from '../fits.ts'

const Tokenizer = Type.Object({
  model: Type.Object({ vocab: Type.Record(Type.String(), Type.Integer()) }),
})

/** Maps each word piece to its id, most frequent first. */
export function readVocabulary(): Record<string, number> {
  const value: unknown = JSON.parse(readFileSync(new URL('tokenizer.json', modelFolder), 'utf8'))
  if (!fits(Tokenizer, value)) throw new Error('The tokenizer of the bundled model has no words.')
  return value.model.vocab
}
