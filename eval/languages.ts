// Everyday memories and questions (everyday.ts) in languages whose letters the bundled model does not read, in
// eval/languages/: two people for each, written for this measurement by an author who did not know how the
// score is made.
import { readFileSync } from 'node:fs'
import { type EverydayPerson, parseEveryday } from './everyday.ts'

/** By their codes (ISO 639-1). */
export const LANGUAGES = ['ar', 'el', 'he', 'hi', 'ja', 'ko', 'ru', 'th', 'uk', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

export const peopleWhoWrite = (language: Language): EverydayPerson[] =>
  parseEveryday(readFileSync(new URL(`languages/${language}.txt`, import.meta.url), 'utf8'))
