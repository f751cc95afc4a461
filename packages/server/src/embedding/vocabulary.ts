// The words of English by frequency, from the bundled tokenizer. The search weighs terms by it
// whichever model makes the vectors.
import { readFileSync } from 'node:fs'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Tokenizer = Type.Object({
  model: Type.Object({ vocab: Type.Record(Type.String(), Type.Integer()) }),
})

/** Maps each word piece to its id, most frequent first. */
export function readVocabulary(): Record<string, number> {
  const text = readFileSync(new URL('tokenizer.json', modelFolder), 'utf8')
  return Value.Parse(Tokenizer, JSON.parse(text)).model.vocab
}
