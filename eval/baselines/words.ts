// The words of a text as the baselines count them: with the product's own folding, stop words and stems, so
// that only the methods differ.
import { foldText } from '../../packages/server/src/retrieval/fold.ts'
import { stemOf } from '../../packages/server/src/retrieval/words/stemming.ts'
import { STOP_WORDS } from '../../packages/server/src/retrieval/words/stop-words.ts'

/** In the order of the text, each as often as it stands there. */
export const wordsOf = (text: string): string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemOf)
