/**
 * The names of all cases, read from the sources of the case files: what the inventory is held
 * against. Names are string literals, also those of tables (`test.each(…)('$id …')`), which stand
 * with their placeholders.
 */
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('..', import.meta.url)

interface CaseName {
  readonly file: string
  readonly name: string
}

export function caseNames(): CaseName[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8')
      return namesIn(source).map((name) => ({ file, name }))
    })
}

export function namesIn(source: string): string[] {
  const names: string[] = []
  for (const call of source.matchAll(/^\s*(?:await )?test(\.each)?\(/gm)) {
    const start = call.index + call[0].length
    const argument = call[1] === undefined ? start : closing(source, start) + 2
    const literal = /^\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/.exec(source.slice(argument))
    if (literal?.[2] === undefined) throw new Error(`A case without a literal name at ${start}`)
    names.push(literal[2].replaceAll(/\\(.)/g, '$1'))
  }
  return names
}

/** The index of the parenthesis that closes the one before `start`; strings are stepped over. */
function closing(source: string, start: number): number {
  let depth = 1
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[()]/g
  tokens.lastIndex = start
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    if (token[0] === '(') depth += 1
    if (token[0] === ')') depth -= 1
    if (depth === 0) return token.index
  }
  throw new Error(`No closing parenthesis for the one at ${start}`)
}
