// How much more evidence a query in a script that the model does not read needs than a question with a name:
// enough for at most FAR_MAX of a language's questions on something else, two of sixteen, to find anything
// among all that is written in it. That makes one in ten over all other scripts together. For a script with
// two languages the greater value counts, and for scripts without a language here the greatest of all but
// Latin. All questions in Latin letters are judged as if they were known not to be English.
import { SCRIPTS, type Script } from '../../packages/server/src/retrieval/calibration.ts'
import { LANGUAGES, LATIN_LETTERS, type Language, peopleWhoWrite } from '../data/languages.ts'
import { mean, shareOf } from '../statistics/metrics.ts'
import { cutAt } from './cut.ts'
import { bestUnder, type Calibration, type MemoryEvidence } from './evidence.ts'
import { type Embedder, EvidenceSpace } from './evidence-space.ts'

/** The script of most letters of each language. */
const SCRIPT_OF: Readonly<Record<Language, Script>> = {
  ar: 'Arabic',
  cs: 'Latin',
  da: 'Latin',
  de: 'Latin',
  el: 'Greek',
  es: 'Latin',
  fi: 'Latin',
  fr: 'Latin',
  he: 'Hebrew',
  hi: 'Devanagari',
  hu: 'Latin',
  id: 'Latin',
  it: 'Latin',
  ja: 'Kana',
  ko: 'Hangul',
  nb: 'Latin',
  nl: 'Latin',
  pl: 'Latin',
  pt: 'Latin',
  ro: 'Latin',
  ru: 'Cyrillic',
  sv: 'Latin',
  th: 'Thai',
  tr: 'Latin',
  uk: 'Cyrillic',
  vi: 'Vietnamese',
  zh: 'Han',
}
const FAR_MAX = 0.15
const STEPS_A_UNIT = 100

/** The strengths that memories have for one question. */
type LanguageStrengths = {
  language: Language
  person: number
  /** That of the memory that answers; undefined if none does. */
  answer: number | undefined
  /** Those of the person's other memories. */
  others: number[]
  /** For a question on something else, the greatest among all that is written in the language. */
  bestOfAll: number | undefined
}
export type JudgeLanguages = (calibration: Calibration) => LanguageStrengths[]

type Asked = Pick<LanguageStrengths, 'language' | 'person'> & {
  answer: MemoryEvidence | undefined
  others: MemoryEvidence[]
  all: MemoryEvidence[]
}

export async function askLanguages(embedder: Embedder): Promise<JudgeLanguages> {
  const asked: Asked[] = []
  for (const language of LANGUAGES) {
    const space = new EvidenceSpace(embedder)
    const people = peopleWhoWrite(language)
    const users = people.map((_, person) => `${person}`)
    for (const [person, { memories }] of people.entries()) {
      const texts = memories.map(({ content }, at) => ({ id: `${at}`, content }))
      await space.add(`${person}`, texts)
    }
    for (const [person, { memories, near, far }] of people.entries()) {
      const ask = async (question: string, answer?: number) => {
        const [own = []] = await space.evidence([`${person}`], question)
        const others = own.filter(({ id }) => id !== `${answer}`)
        asked.push({
          language,
          person,
          answer: own.find(({ id }) => id === `${answer}`)?.evidence,
          others: others.map(({ evidence }) => evidence),
          all: [],
        })
      }
      for (const [at, { questions }] of memories.entries()) {
        for (const question of questions) await ask(question, at)
      }
      for (const question of near) await ask(question)
      for (const question of far) {
        const all = (await space.evidence(users, question)).flat().map(({ evidence }) => evidence)
        asked.push({ language, person, answer: undefined, others: [], all })
      }
    }
  }
  return (calibration) => {
    const best = bestUnder(calibration)
    const strengthOf = (evidence: MemoryEvidence): number =>
      best({ ...evidence, query: { ...evidence.query, asks: true, hasNames: true } }).strength
    return asked.map(({ language, person, answer, others, all }) => ({
      language,
      person,
      answer: answer && strengthOf(answer),
      others: others.map(strengthOf),
      bestOfAll: all.length === 0 ? undefined : Math.max(...all.map(strengthOf)),
    }))
  }
}

/** Fits the scripts, with the weights of `start`. */
export function fitScripts(
  judge: JudgeLanguages,
  start: Calibration,
  isUsed: (judged: LanguageStrengths) => boolean = () => true,
): Calibration {
  const judged = judge(start).filter(isUsed)
  const scripts: NonNullable<Calibration['scripts']> = {}
  const raise = (script: Script, extra: number): void => {
    scripts[script] = Math.max(scripts[script] ?? 0, extra)
  }
  for (const language of LANGUAGES) {
    const far = judged.flatMap((one) => (one.language === language ? (one.bestOfAll ?? []) : []))
    const extra = cutAt(far, FAR_MAX) - start.asking.border
    const rounded = Math.max(0, Math.ceil(extra * STEPS_A_UNIT) / STEPS_A_UNIT)
    raise(SCRIPT_OF[language], rounded)
    if (!isLatin(language)) raise('other', rounded)
  }
  return { ...start, scripts: inOrder(scripts) }
}

const isLatin = (language: Language): boolean => LATIN_LETTERS.some((one) => one === language)

const inOrder = (scripts: NonNullable<Calibration['scripts']>): typeof scripts =>
  Object.fromEntries(
    SCRIPTS.flatMap((script) => (script in scripts ? [[script, scripts[script]]] : [])),
  )

/** The figures of all other scripts together, and those of Latin letters. */
export function languageFigures(
  judged: readonly LanguageStrengths[],
  { asking, scripts = {} }: Calibration,
) {
  const isFound = (language: Language, strength: number): boolean =>
    strength >= asking.border + (scripts[SCRIPT_OF[language]] ?? 0)
  const figuresOf = (name: string, some: readonly LanguageStrengths[]) => {
    const answered = some.filter(({ answer }) => answer !== undefined)
    const far = some.filter(({ bestOfAll }) => bestOfAll !== undefined)
    const beside = answered.map(
      ({ language, others }) => others.filter((one) => isFound(language, one)).length,
    )
    return {
      [`found of the questions in ${name}`]: shareOf(answered, ({ language, answer = 0 }) =>
        isFound(language, answer),
      ),
      [`found beside it, in ${name}`]: mean(beside),
      [`on something else, in ${name}: anything`]: shareOf(far, ({ language, bestOfAll = 0 }) =>
        isFound(language, bestOfAll),
      ),
    }
  }
  return {
    ...figuresOf(
      'other scripts',
      judged.filter(({ language }) => !isLatin(language)),
    ),
    ...figuresOf(
      'Latin letters',
      judged.filter(({ language }) => isLatin(language)),
    ),
  }
}
