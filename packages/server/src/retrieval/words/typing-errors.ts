// What a word may have been meant to be: everything one slip of a finger away from it. Asked only
// about words that neither the language nor the space knows, so no known word is turned into another
// (horse never finds house), and codes and numbers, in which each sign counts, are left alone. The
// candidates are those of P. Norvig's spelling corrector ("How to write a spelling corrector", 2007).

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
/** In shorter words a slip leaves too little to go by. */
const LENGTH_MIN = 4
const LENGTH_MAX = 24

/** A letter too many, too few, wrong, or exchanged with its neighbour; those that are known. */
export function meantBy(term: string, isKnown: (candidate: string) => boolean): string[] {
  if (!/^[a-z]+$/.test(term) || term.length < LENGTH_MIN || term.length > LENGTH_MAX) return []
  const found = new Set<string>()
  const offer = (candidate: string): void => {
    if (candidate !== term && isKnown(candidate)) found.add(candidate)
  }
  for (let place = 0; place <= term.length; place += 1) {
    const before = term.slice(0, place)
    const after = term.slice(place)
    const rest = after.slice(1)
    offer(before + rest)
    offer(before + rest.slice(0, 1) + after.slice(0, 1) + rest.slice(1))
    for (const letter of LETTERS) {
      offer(before + letter + after)
      if (after !== '') offer(before + letter + rest)
    }
  }
  return [...found]
}
