// The measurements. Each fills an empty space, asks the service and the baselines the same, prints a table
// and returns its figures.
import { readFileSync } from 'node:fs'
import type { Baselines } from './baselines/open-baselines.ts'
import type { EverydaySet } from './data/everyday.ts'
import {
  LANGUAGES,
  LATIN_LETTERS,
  type Language,
  OTHER_SCRIPTS,
  peopleWhoWrite,
} from './data/languages.ts'
import { type Conversation, parseLocomo, withoutSpeakerNames } from './data/locomo.ts'
import { parseSts } from './data/sts.ts'
import { type EverydayFigures, measureEveryday, measurePeople } from './measures/everyday.ts'
import { type ExactFigures, measureExact } from './measures/exact-facts.ts'
import { measureLatency } from './measures/latency.ts'
import { judgeLocomo, type LocomoFigures, locomoFigures } from './measures/locomo.ts'
import { type LongFigures, type LongForm, measureLong } from './measures/long-texts.ts'
import { measureStatedParts, type StatedPartsFigures } from './measures/stated-parts.ts'
import { measureSts, type StsFigures } from './measures/sts.ts'
import { decimals, latencies, printLine, printTable, printTitle, withInterval } from './report.ts'
import type { Retriever } from './retriever.ts'
import type { ServiceRetriever } from './service-retriever.ts'

export type Setting = {
  /** Opens an empty space. */
  newService: () => ServiceRetriever
  /** Absent: the service is measured alone. */
  baselines: Baselines | undefined
}

type ByMethod<Figures> = Record<string, Figures>

const methodsOf = ({ newService, baselines }: Setting): Retriever[] => [
  newService(),
  ...(baselines?.fresh() ?? []),
]

async function forEach<Figures>(
  retrievers: readonly Retriever[],
  measure: (retriever: Retriever) => Promise<Figures | undefined>,
): Promise<ByMethod<Figures>> {
  const figures: ByMethod<Figures> = {}
  for (const retriever of retrievers) {
    const measured = await measure(retriever)
    if (measured !== undefined) figures[retriever.name] = measured
  }
  return figures
}

export async function evaluateLocomo(
  { newService, baselines }: Setting,
  { file, conversationsMax, rewordings }: LocomoOptions,
): Promise<Record<string, ByMethod<LocomoFigures>>> {
  const conversations = parseLocomo(readFileSync(file, 'utf8')).slice(0, conversationsMax)
  const service = newService()
  const retrievers = [service, ...(baselines?.fresh() ?? [])]
  for (const retriever of retrievers) {
    for (const { id, turns } of conversations) await retriever.add(id, turns)
  }
  const measure = (reword?: (question: string, conversation: Conversation) => string) =>
    forEach(reword === undefined ? retrievers : [service], async (retriever) =>
      locomoFigures(await judgeLocomo(retriever, conversations, reword), retriever.threshold),
    )
  const original = await measure()
  printLocomo(`LoCoMo, ${conversations.length} conversations`, original)
  printLine('create, 8 in flight', latencies(service.createMs))
  printLine('search, one at a time', latencies(service.searchMs))
  if (!rewordings) return { original }

  const lowerCase = await measure((question) => question.toLowerCase())
  printLocomo('LoCoMo, questions in lower case', lowerCase)
  const theUser = await measure((question, { speakers }) => withoutSpeakerNames(question, speakers))
  printLocomo('LoCoMo, "the user" for the speaker (false says little: anybody is meant)', theUser)
  return { original, lowerCase, theUser }
}

type LocomoOptions = { file: string; conversationsMax: number; rewordings: boolean }

function printLocomo(title: string, figures: ByMethod<LocomoFigures>): void {
  const [first] = Object.values(figures)
  printTable(`${title}: ${first?.questions} questions`, figures, {
    'recall@10': ({ recall }) => recall,
    'nDCG@10': ({ ndcg }) => ndcg,
    kept: ({ kept }) => kept,
    'false, every fourth question': (all) => all.false,
    'false, no common speaker name, every question': (all) => all.falseNoCommonName,
  })
  // Questions of one conversation resemble each other, which the intervals above do not take into account.
  for (const { id, recall, ndcg, kept } of first?.conversations ?? []) {
    const values = [recall, ndcg, ...(kept === undefined ? [] : [kept])]
    printLine(
      `  ${id}: recall@10, nDCG@10, kept`,
      values.map((value) => decimals(value)).join('  '),
    )
  }
}

export async function evaluateSts(setting: Setting, file: string): Promise<ByMethod<StsFigures>> {
  const pairs = parseSts(readFileSync(file, 'utf8'))
  const retrievers = methodsOf(setting)
  const figures = await forEach(retrievers, (retriever) => measureSts(retriever, pairs))
  printTable(`STS benchmark: ${pairs.length} pairs`, figures, {
    Spearman: ({ spearman }) => spearman,
    'found of the pairs rated 4 and more': ({ sameFound }) => sameFound,
    'found of the pairs rated 1 and less': ({ unrelatedFound }) => unrelatedFound,
  })
  return figures
}

export async function evaluateExact(setting: Setting): Promise<ByMethod<ExactFigures>> {
  const retrievers = methodsOf(setting)
  const figures = await forEach(retrievers, measureExact)
  const [first] = Object.values(figures)
  const size = `${first?.queries} queries, ${first?.texts} memories`
  printTable(`Codes, names, numbers, addresses: ${size}`, figures, {
    'in the first 3 at the default threshold': ({ found }) => found,
    'another code or number asked for: found': ({ others }) => others,
  })
  if (first?.missed.length) printLine('missed', first.missed.join('  '))
  return figures
}

export async function evaluateEveryday(
  setting: Setting,
  set: EverydaySet,
): Promise<ByMethod<EverydayFigures>> {
  const figures = await forEach(methodsOf(setting), (retriever) => measureEveryday(retriever, set))
  const questions = Object.values(figures)[0]?.questions
  const title = `Everyday memories, ${set}: ${questions} questions, 6 people with 20 each`
  printTable(title, figures, EVERYDAY_ROWS)
  return figures
}

const EVERYDAY_ROWS = {
  first: (all: EverydayFigures) => all.first,
  'found at the default threshold': ({ found }: EverydayFigures) => found,
  'others found beside it': ({ others }: EverydayFigures) => others,
  'near, but unanswered: anything found': ({ near }: EverydayFigures) => near,
  'on something else: anything found': ({ far }: EverydayFigures) => far,
}

/** Only the service, with a column for each language. */
export async function evaluateLanguages({
  newService,
}: Setting): Promise<Partial<Record<Language, EverydayFigures>>> {
  const service = newService()
  const figures: Partial<Record<Language, EverydayFigures>> = {}
  for (const language of LANGUAGES) {
    figures[language] = await measurePeople(service, language, peopleWhoWrite(language))
  }
  printLanguages('Letters that the bundled model does not read', OTHER_SCRIPTS, figures)
  printLanguages('Other languages in Latin letters', LATIN_LETTERS, figures)
  return figures
}

/** As many side by side as a wide terminal holds. */
const LANGUAGES_A_TABLE = 4

function printLanguages(
  title: string,
  languages: readonly Language[],
  figures: Partial<Record<Language, EverydayFigures>>,
): void {
  for (let from = 0; from < languages.length; from += LANGUAGES_A_TABLE) {
    const columns = Object.fromEntries(
      languages
        .slice(from, from + LANGUAGES_A_TABLE)
        .flatMap((one) => (figures[one] === undefined ? [] : [[one, figures[one]]])),
    )
    printTable(`${title}: 2 people with 12 each`, columns, EVERYDAY_ROWS)
  }
}

export async function evaluateLong(
  setting: Setting,
  form: LongForm,
): Promise<ByMethod<LongFigures>> {
  const figures = await forEach(methodsOf(setting), (retriever) => measureLong(retriever, form))
  const texts = Object.values(figures)[0]?.texts
  const title =
    form === 'dictated' ? 'A fact in 10,000 dictated characters' : 'A fact in 10,000 characters'
  printTable(`${title}: ${texts} memories`, figures, {
    'shared words: first': ({ sharing }) => sharing.first,
    'shared words: first, at the default threshold': ({ sharing }) => sharing.firstAndFound,
    'shared words: others found': ({ sharing }) => sharing.others,
    'other words: first': ({ otherWords }) => otherWords.first,
    'other words: first, at the default threshold': ({ otherWords }) => otherWords.firstAndFound,
    'other words: others found': ({ otherWords }) => otherWords.others,
    'the fact itself: first, at the default threshold': ({ fact }) => fact.firstAndFound,
  })
  return figures
}

export async function evaluateStatedParts(setting: Setting): Promise<ByMethod<StatedPartsFigures>> {
  const figures = await forEach(methodsOf(setting), measureStatedParts)
  const [first] = Object.values(figures)
  const size = `${first?.statements} statements, ${first?.memories} memories`
  printTable(`A part of a long sentence: ${size}`, figures, {
    first: ({ first }) => first,
    'first, at the default threshold': ({ firstAndFound }) => firstAndFound,
    'others found': ({ others }) => others,
  })
  return figures
}

export async function evaluateLatency(service: ServiceRetriever, baselines: Baselines) {
  const figures = await measureLatency(service, baselines)
  printTitle(`Latency with ${figures.memories} memories, medians in ms, ${figures.queries} queries`)
  printLine('search over HTTP', withInterval(figures.searchMs))
  printLine('the embedding of the query alone', withInterval(figures.embeddingMs))
  printLine('added to the embedding', withInterval(figures.addedMs))
  return figures
}
