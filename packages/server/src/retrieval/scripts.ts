// Scripts that a model does not read. Their texts are all alike to it: to the bundled model, which reads English,
// any two Russian sentences lie as near to each other as an English question to its answer, and everything would
// be found for everything. So in a query that is mostly in such letters words count most, as in a question with a
// name, and a result needs more evidence, by as much as was measured for these scripts. The same holds for a query
// in Latin letters that is in another language than English. For English nothing changes.
// decisions/2026-11-27-other-scripts.md, decisions/2026-11-27-other-languages.md
import type { Calibration } from './calibration.ts'
import { isInOtherLanguage } from './other-languages.ts'

type Scripts = NonNullable<Calibration['scripts']>

const LETTERS = [
  ['Arabic', /[\p{Script=Arabic}&&[\p{L}\p{M}]]/gv],
  ['Cyrillic', /[\p{Script=Cyrillic}&&[\p{L}\p{M}]]/gv],
  ['Devanagari', /[\p{Script=Devanagari}&&[\p{L}\p{M}]]/gv],
  ['Greek', /[\p{Script=Greek}&&[\p{L}\p{M}]]/gv],
  ['Han', /[\p{Script=Han}&&[\p{L}\p{M}]]/gv],
  ['Hangul', /[\p{Script=Hangul}&&[\p{L}\p{M}]]/gv],
  ['Hebrew', /[\p{Script=Hebrew}&&[\p{L}\p{M}]]/gv],
  ['Kana', /[[\p{Script=Hiragana}\p{Script=Katakana}]&&[\p{L}\p{M}]]/gv],
  ['Thai', /[\p{Script=Thai}&&[\p{L}\p{M}]]/gv],
] as const
/** What only Vietnamese has: letters with a horn, a hook or a dot below. Its words are short. */
const VIETNAMESE = /[ơư\u1ea0-\u1ef9]|\u0309|\u031b|\u0323/iu
const LATIN = /[\p{Script=Latin}&&[\p{L}\p{M}]]/gv
/** Accents and the like that stand on letters of any script count with none. */
const BEYOND_LATIN = /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Inherited}\p{Script=Common}]]/gv

/** What a query is judged by: `calibration`, unless its script or language is not read by the model. */
export function calibrationForScript(query: string, calibration: Calibration): Calibration {
  const extra = extraEvidence(query, calibration.scripts)
  return extra === undefined ? calibration : withExtra(calibration, extra)
}

/**
 * What a query is judged by in which the model knows nothing, or which has no word, such as 🚀: as in the script
 * that it reads least. To the model all such texts are the same.
 */
export function calibrationForUnread(calibration: Calibration): Calibration {
  const { scripts } = calibration
  return scripts === undefined
    ? calibration
    : withExtra(calibration, Math.max(0, ...Object.values(scripts)))
}

function withExtra(calibration: Calibration, extra: number): Calibration {
  const { asking } = calibration
  const raised = { ...asking, border: asking.border + extra }
  return { ...calibration, asking: raised, nameless: raised, stating: raised }
}

/** In units of cosine. Undefined when the text is read. */
function extraEvidence(text: string, scripts: Calibration['scripts']): number | undefined {
  if (scripts === undefined) return undefined
  return extraOfLetters(text, scripts) ?? extraOfLanguage(text, scripts)
}

function extraOfLanguage(text: string, scripts: Scripts): number | undefined {
  const { Latin, Vietnamese = Latin } = scripts
  if (!isInOtherLanguage(text)) return undefined
  return VIETNAMESE.test(text) ? Vietnamese : Latin
}

/** The mean over the letters that are not read. Undefined when most letters are. */
function extraOfLetters(text: string, scripts: Scripts): number | undefined {
  let unread = 0
  let sum = 0
  const add = (count: number, extra: number | undefined): void => {
    if (extra === undefined) return
    unread += count
    sum += count * extra
  }
  const beyond = countIn(text, BEYOND_LATIN)
  if (beyond === 0) return undefined
  let others = beyond
  for (const [script, letters] of LETTERS) {
    const count = countIn(text, letters)
    others -= count
    add(count, scripts[script])
  }
  add(others, scripts.other)
  const read = beyond + countIn(text, LATIN) - unread
  return unread > read ? sum / unread : undefined
}

const countIn = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0
