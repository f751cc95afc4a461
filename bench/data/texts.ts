// Real English sentences that every checkout has: those in the Markdown and the type declarations of the
// installed packages. Their words are distributed as in people's texts, which decides what a search for terms
// costs. The lock file fixes them, so that editing this repository does not change the measured recall.
// Missing ones come from the evaluation's generator and, after that, from halves of two sentences: of 20,000
// some 4,100 and 1,600.
import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BURIED_FACTS, ordinarySentences } from '../../eval/data/long-texts.ts'
import { hashOf } from './random.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILES = 'node_modules/**/*.{md,d.ts}'
const FILE_BYTES_MAX = 2_000_000
const A_FILE_MAX = 300
const SENTENCE = /[A-Z][^.!?\n]{30,170}[.!?]/g
const WORDS_MIN = 6
/** Characters that only code and tables have. */
const NO_PROSE = /[{}|<>=;*_[\]`]/
const LETTERS_MIN = 0.9
const GENERATED_CHARACTERS = 60
/** The percentage of sentences that become queries and are not stored. */
const ASKED_PERCENT = 2
const WORDS_ASKED = 8

type Texts = { stored: string[]; asked: string[] }

/** `count` texts to store and up to `queries` to ask, half of them questions; the same in every run. */
export function readTexts(count: number, queries: number): Texts {
  const real = realSentences().sort((a, b) => orderOf(a) - orderOf(b))
  const held = Math.ceil((real.length * ASKED_PERCENT) / 100)
  const generated = ordinarySentences(count * GENERATED_CHARACTERS, 7)
  const plain = new Set([...real.slice(held), ...generated])
  const stored = [...joinedUpTo(count, [...plain])].slice(0, count)
  return { stored, asked: asked(real.slice(0, held)).slice(0, queries) }
}

/** The texts, and mixtures of two of them until there are `count`. */
function joinedUpTo(count: number, texts: readonly string[]): Set<string> {
  const all = new Set(texts)
  for (let number = 0; all.size < count; number += 1) {
    const first = texts[hashOf(number, 21) % texts.length] ?? ''
    all.add(joined(first, texts[hashOf(number, 22) % texts.length] ?? ''))
  }
  return all
}

/** The first half of one text and the second half of the other: ordinary words, though without sense. */
export function joined(first: string, second: string): string {
  const [a, b] = [first.split(' '), second.split(' ')]
  return [...a.slice(0, Math.ceil(a.length / 2)), ...b.slice(Math.floor(b.length / 2))].join(' ')
}

function asked(held: readonly string[]): string[] {
  const questions = BURIED_FACTS.flatMap(({ sharing, otherWords }) => [sharing, otherWords])
  const parts = held.map((text) => text.split(' ').slice(0, WORDS_ASKED).join(' '))
  return parts.flatMap((part, place) => [part, ...questions.slice(place, place + 1)])
}

function realSentences(): string[] {
  const found = new Set<string>()
  for (const file of globSync(FILES, { cwd: ROOT }).sort()) {
    if (statSync(ROOT + file).size > FILE_BYTES_MAX) continue
    const plain = readFileSync(ROOT + file, 'utf8')
      .replace(/```[\s\S]*?```/g, ' ')
      .replace(/\n[ \t]*\*?[ \t]*(?=[a-z(])/g, ' ')
    let fromFile = 0
    for (const [match] of plain.matchAll(SENTENCE)) {
      const sentence = match.replace(/\s+/g, ' ')
      if (!isProse(sentence) || found.has(sentence)) continue
      found.add(sentence)
      fromFile += 1
      if (fromFile === A_FILE_MAX) break
    }
  }
  return [...found]
}

function isProse(text: string): boolean {
  if (NO_PROSE.test(text)) return false
  const letters = text.match(/[A-Za-z ]/g)?.length ?? 0
  return letters / text.length >= LETTERS_MIN && text.split(' ').length >= WORDS_MIN
}

const orderOf = (text: string): number =>
  hashOf(text.length, text.charCodeAt(7) * 131 + text.charCodeAt(text.length >> 1))
