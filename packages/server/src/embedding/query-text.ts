// What a model reads of a query: what is asked for, without what is said around it and without marks that say
// nothing. Each of these moves the vector towards texts that have nothing to do with the question.
// decisions/2026-11-29-requests.md
import { readRequest } from '../retrieval/request.ts'

/** Behind its end: "What does 🐉 mean?" is about one, which some models know. */
const EMOJI_AT_END =
  /(?<=[.!?…]["'”’»`*_)]{0,3})(?:[\s\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f)+$/u
/** `- ` and `> ` before a line, `# ` before a heading. */
const BEFORE_A_LINE = /^(?:[-*•>#]+\s+)+/
const AROUND = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['`', '`'],
  ['**', '**'],
  ['*', '*'],
  ['_', '_'],
] as const
/** The `**two**` words of a text, and no `__init__`, `2 * 3 * 4` or `snake_case_name`. */
const EMPHASIS =
  /(?<![\p{L}\p{N}_*`])(\*\*|[*_`])(?=[^\s*_`])([^*_`\n]+)(?<=\S)\1(?![\p{L}\p{N}_*`])/gu
/** Of `???` and `?!` the first stays. */
const MORE_AT_END = /(?<=(?<![?!])[?!])[?!]+$|(?<!\.)(?:…|\.{3,})$/

/** The query itself when nothing else is left. */
export function textToRead(query: string): string {
  const text = withoutMarks(readRequest(withoutMarks(query)).question)
  return text === '' ? query : text
}

function withoutMarks(text: string): string {
  let rest = text.trim().replace(EMOJI_AT_END, '').replace(BEFORE_A_LINE, '')
  for (const [before, after] of AROUND) {
    const isAround = rest.length > before.length + after.length
    if (isAround && rest.startsWith(before) && rest.endsWith(after)) {
      const inside = rest.slice(before.length, -after.length)
      if (!inside.includes(before)) rest = inside
    }
  }
  return rest.replace(EMPHASIS, '$2').replace(MORE_AT_END, '').trim()
}
