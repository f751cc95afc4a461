// Everyday memories and questions (everyday.ts) in languages that the bundled model was not made for, in
// eval/data/languages/: two people for each, written for this measurement without regard to how the score is made.
import { readFileSync } from 'node:fs'
import { type EverydayPerson, parseEveryday } from './everyday.ts'

/** By their codes (ISO 639-1): those of other scripts, and those in Latin letters. */
export const OTHER_SCRIPTS = ['ar', 'el', 'he', 'hi', 'ja', 'ko', 'ru', 'th', 'uk', 'zh'] as const
export const LATIN_LETTERS = [
  'cs',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'hu',
  'id',
  'it',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'sv',
  'tr',
  'vi',
] as const
export const LANGUAGES = [...OTHER_SCRIPTS, ...LATIN_LETTERS] as const
export type Language = (typeof LANGUAGES)[number]

export const peopleWhoWrite = (language: Language): EverydayPerson[] =>
  parseEveryday(readFileSync(new URL(`languages/${language}.txt`, import.meta.url), 'utf8'))
