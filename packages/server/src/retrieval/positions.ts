// Where in a program something happened, as traces, compilers and links to a line say it: `node:net:1817:16`,
// `App.java:118`. It is written like a code, and names nothing that a memory of the same error has to have:
// lines move with every version, and addresses of memory with every run.
// decisions/2026-11-28-codes-name-one-thing.md
import type { QueryTerm } from './evidence.ts'
import { termsOfQuery } from './terms.ts'

const SOURCE = String.raw`\.(?:${[
  '[cm]?[jt]sx?|vue|svelte|astro|html?|s?css',
  'py|rb|php|pl|lua|sh|sql|go|rs|zig|dart|swift|exs?|erl|hs|ml|jl',
  'java|kts?|scala|groovy|cs|fs|vb|[chm]|cc|cpp|cxx|hh|hpp',
  'json|ya?ml|toml|xml|md|tf',
].join('|')})`
const POSITION = new RegExp(
  [
    // With the path and the address before it, and what a bundler puts behind the name.
    String.raw`(?<![^\s()"'<>])(?:[^\s()"'<>]*${SOURCE}(?:\?[^\s()"'<>:#]*)?|node:[\w/]+)[:#]L?\d+(?:[-:]L?\d+)?(?: \+0x[\da-f]+)?(?![\p{L}\p{N}])`,
    // With the number of the frame, and more than the eight digits of an error's number.
    String.raw`(?:#\d+ +|(?<![\p{L}\p{N}]))0x[\da-f]{9,16}(?![\p{L}\p{N}])`,
  ].join('|'),
  'giu',
)

/** The terms of a query, of which those of its positions are no codes. */
export function withoutCodesOfPositions<Term extends Pick<QueryTerm, 'term' | 'isCode'>>(
  terms: Term[],
  query: string,
): Term[] {
  if (!terms.some(({ isCode }) => isCode)) return terms
  const positions = query.match(POSITION)
  if (positions === null) return terms
  const ofPositions = new Set(termsOfQuery(positions.join(' ')).map(({ term }) => term))
  return terms.map((term) => (ofPositions.has(term.term) ? { ...term, isCode: false } : term))
}
