// Scripts in which no space tells where a word ends: those without any between words, and that of Korean, which
// writes particles to its words.

/**
 * Their characters, to stand in a class of a regular expression. By extensions, since the long vowel of コーヒー is of
 * Hiragana and of Katakana.
 */
export const OF_UNSPACED_SCRIPTS = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('')
