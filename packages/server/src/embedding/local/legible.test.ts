// No word is lost on the model once a text is made legible, and nothing of the text changes but spaces and
// widths. The tokenizer is the bundled model's own: its unknown token is what all this is about.
import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { legible } from './legible.ts'

const tokenizer = new Tokenizer(
  JSON.parse(readFileSync(new URL('tokenizer.json', modelFolder), 'utf8')),
  {},
)
const tokensOf = (text: string): string[] =>
  tokenizer.encode(text, { add_special_tokens: false }).tokens

describe('a text made legible for WordPiece', () => {
  test.each([
    ['letters', 'abcdefghij'.repeat(1_000)],
    ['digits', '0123456789'.repeat(1_000)],
    ['Hangul, which becomes three letters a character', '안녕하세요'.repeat(200)],
    ['Cyrillic', 'память'.repeat(200)],
  ])('has no unknown token for a long word of %s', (_, word) => {
    expect(tokensOf(word)).toEqual(['[UNK]'])
    expect(tokensOf(legible(word))).not.toContain('[UNK]')
  })

  test('has no word of more letters than 32, as the tokenizer counts them', () => {
    const letter = fc.constantFrom('각', '가', '漢', 'a', '7')
    fc.assert(
      fc.property(fc.array(letter, { minLength: 30, maxLength: 300 }), (letters) => {
        for (const word of legible(letters.join('')).split(' ')) {
          expect(word.normalize('NFD').length).toBeLessThanOrEqual(32)
        }
      }),
    )
  })

  test('keeps a word readable that an emoji follows', () => {
    expect(tokensOf('great😀')).toEqual(['[UNK]'])
    expect(tokensOf(legible('great😀'))).toEqual(['great', '[UNK]'])
    expect(tokensOf(legible('a👩‍👩‍👧‍👦b'))).toEqual(['a', '[UNK]', 'b'])
  })

  test('is written in one width', () => {
    expect(legible('ｗｈｏ　ｉｓ ＣＥＯ？ ﾎﾟﾁ １２')).toBe('who　is CEO? ポチ 12')
    expect(tokensOf(legible('ｗｈｏ ｉｓ'))).toEqual(['who', 'is'])
  })

  test('is the same text when its words are short and it has no emoji', () => {
    const text = 'Anna’s café, 3 °C — "counter-revolutionaries" at https://example.com/a?b=c ♥ ©'
    expect(legible(text)).toBe(text)
  })

  test('differs from the text by spaces only, and by the width of letters', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 300 })
    const inOneWidth = (text: string) =>
      text.replace(/[\uff01-\uffee]+/g, (letters) => letters.normalize('NFKC'))
    fc.assert(
      fc.property(anyText, (text) => {
        expect(legible(text).replaceAll(' ', '')).toBe(inOneWidth(text).replaceAll(' ', ''))
      }),
    )
  })
})
