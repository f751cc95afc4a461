// `npm run stems`: writes the stems of English words by frequency, from the vocabulary of the bundled
// tokenizer. The list is committed, since stemming 22,000 words would take a tenth of a second and 25 MB at
// every start; a test compares it with what this derives.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readVocabulary } from '../packages/server/src/embedding/vocabulary.ts'
import { stemOf } from '../packages/server/src/retrieval/words/stemming.ts'

/** Whole words begin here in BERT's vocabulary; before them lie marks and single characters. */
const FIRST_WORD_ID = 1996

export const listOfStems = fileURLToPath(
  new URL('../packages/server/src/retrieval/stems.txt', import.meta.url),
)

/**
 * A line for each entry of the vocabulary, most frequent first: its stem; empty if a more frequent word has
 * the same stem, or if the entry is only a part of words.
 */
export function derivedStems(): string {
  const lines: string[] = []
  const seen = new Set<string>()
  for (const [word, id] of Object.entries(readVocabulary()).sort(
    ([, one], [, other]) => one - other,
  )) {
    if (id < FIRST_WORD_ID) continue
    const stem = word.startsWith('##') ? '' : stemOf(word)
    lines[id - FIRST_WORD_ID] = seen.has(stem) ? '' : stem
    seen.add(stem)
  }
  return `${lines.join('\n').trimEnd()}\n`
}

if (import.meta.main) writeFileSync(listOfStems, derivedStems())
