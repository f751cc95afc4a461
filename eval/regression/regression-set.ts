// The regression set: memories, questions of several kinds with the memories that answer them, and
// questions that no memory answers. Everything is invented and was written before it was measured.
// It guards against loss, and is too small to compare methods by: EVALUATION.md.
import { readdirSync, readFileSync } from 'node:fs'
import { MEMORIES_OF_PEOPLE } from './memories-of-people.ts'
import { MEMORIES_OF_WORK } from './memories-of-work.ts'
import { QUESTIONS_BY_KIND } from './questions.ts'
import { UNRELATED_QUESTIONS } from './unrelated.ts'

const LONG = new URL('./long/', import.meta.url)

/** The long texts are named by their files. */
const longMemories = Object.fromEntries(
  readdirSync(LONG).map((file) => [
    file.replace('.txt', ''),
    readFileSync(new URL(file, LONG), 'utf8').trim(),
  ]),
)

/** From name to content. */
export const MEMORIES: Readonly<Record<string, string>> = {
  ...MEMORIES_OF_PEOPLE,
  ...MEMORIES_OF_WORK,
  ...longMemories,
}

/** The names of all memories that answer the question. */
export type KnownQuestion = { kind: string; text: string; answers: readonly string[] }

export const QUESTIONS: readonly KnownQuestion[] = Object.entries(QUESTIONS_BY_KIND).flatMap(
  ([kind, rows]) => rows.map(([text, ...answers]) => ({ kind, text, answers })),
)

export const UNRELATED: readonly { kind: string; text: string }[] = Object.entries(
  UNRELATED_QUESTIONS,
).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })))
