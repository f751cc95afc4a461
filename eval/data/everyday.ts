// Memories as apps keep them and questions as people ask them, mostly in other words, written for this
// measurement by authors who did not know how the score is made. Three sets, in eval/data/everyday/: a companion
// app, teams and agents at work, and the first things that people try with such a service.
import { readFileSync } from 'node:fs'

export const EVERYDAY_SETS = ['personal', 'work', 'first-trials'] as const
export type EverydaySet = (typeof EVERYDAY_SETS)[number]

export type EverydayPerson = {
  memories: { content: string; questions: string[] }[]
  /** On the same topics, but no memory answers them. */
  near: string[]
  /** On something else altogether. */
  far: string[]
}

export const everydayPeople = (set: EverydaySet): EverydayPerson[] =>
  parseEveryday(readFileSync(new URL(`everyday/${set}.txt`, import.meta.url), 'utf8'))

type Owner = (person: EverydayPerson) => string[] | undefined

const OWNERS: Readonly<Record<string, Owner>> = {
  '? ': ({ memories }) => memories.at(-1)?.questions,
  '~ ': ({ near }) => near,
  '- ': ({ far }) => far,
}

/**
 * A line that begins with `# ` begins a person, with `? ` a question that the memory above it answers, with
 * `~ ` a near question, with `- ` a far one; any other is a memory. Throws where something has no owner.
 */
export function parseEveryday(text: string): EverydayPerson[] {
  const people: EverydayPerson[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    if (line.startsWith('# ')) {
      people.push({ memories: [], near: [], far: [] })
      continue
    }
    const person = people.at(-1)
    const ownerOf = OWNERS[line.slice(0, 2)]
    if (person !== undefined && ownerOf === undefined) {
      person.memories.push({ content: line, questions: [] })
      continue
    }
    const owner = person && ownerOf?.(person)
    if (owner === undefined) throw new Error(`Line ${index + 1} belongs to nobody.`)
    owner.push(line.slice(2))
  }
  return people
}
