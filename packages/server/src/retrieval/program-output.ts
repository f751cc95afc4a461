// What a program printed, as people and agents paste it into a query: where in the program something happened
// (`node:net:1817:16`, `App.java:118`), and lines of a log. It is full of what is written like a code and names
// nothing that a memory of the same error has to have: lines move with every version, ids are of one run.
// decisions/2026-11-28-codes-name-one-thing.md
import type { QueryTerm } from './evidence.ts'
import { termsOfQuery } from './query-terms.ts'

const SOURCE = String.raw`\.(?:${[
  '[cm]?[jt]sx?|vue|svelte|astro|html?|s?css',
  'py|rb|php|pl|lua|sh|sql|go|rs|zig|dart|swift|exs?|erl|hs|ml|jl',
  'java|kts?|scala|groovy|cs|fs|vb|[chm]|cc|cpp|cxx|hh|hpp',
  'json|ya?ml|toml|xml|md|tf',
].join('|')})`
/** To the second, as a log has it and hardly anybody else: `[2026-11-29 10:00:01`, `Nov 29 10:00:01`. */
const MOMENT = String.raw`\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[a-z]{3} {1,2}\d{1,2} )?\d\d:\d\d:\d\d(?!\d)`
const OUTPUT = new RegExp(
  [
    String.raw`^[ \t]*${MOMENT}.*$`,
    // With the path and the address before it, and what a bundler puts behind the name.
    String.raw`(?<![^\s()"'<>])(?:[^\s()"'<>]*${SOURCE}(?:\?[^\s()"'<>:#]*)?|node:[\w/]+)[:#]L?\d+(?:[-:]L?\d+)?(?: \+0x[\da-f]+)?(?![\p{L}\p{N}])`,
    // With the number of the frame, and more than the eight digits of an error's number.
    String.raw`(?:#\d+ +|(?<![\p{L}\p{N}]))0x[\da-f]{9,16}(?![\p{L}\p{N}])`,
  ].join('|'),
  'gimu',
)

/** The terms of a query, of which those are codes that stand outside of what a program printed. */
export function withoutCodesOfOutput<Term extends Pick<QueryTerm, 'term' | 'isCode'>>(
  terms: Term[],
  query: string,
): Term[] {
  if (!terms.some(({ isCode }) => isCode)) return terms
  const rest = query.replace(OUTPUT, ',')
  if (rest === query) return terms
  const codes = new Set(termsOfQuery(rest).flatMap(({ term, isCode }) => (isCode ? [term] : [])))
  return terms.map((term) => (codes.has(term.term) ? term : { ...term, isCode: false }))
}
