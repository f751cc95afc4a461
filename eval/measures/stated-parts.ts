// Statements of one of the things that a long sentence says (stated-parts.ts).

import { STATED_PARTS } from '../data/stated-parts.ts'
import type { Retriever } from '../retriever.ts'
import { type Found, measureFound } from './found.ts'

const USER = 'stated-parts'

export type StatedPartsFigures = Found & { memories: number; statements: number }

export async function measureStatedParts(retriever: Retriever): Promise<StatedPartsFigures> {
  const memories = STATED_PARTS.length
  const texts = STATED_PARTS.map(({ memory }, index) => ({ id: `${index}`, content: memory }))
  await retriever.add(USER, texts)
  const wanted = STATED_PARTS.flatMap(({ parts }, index) =>
    parts.map((question) => ({ question, id: `${index}` })),
  )
  const found = await measureFound(retriever, { user: USER, memories }, wanted)
  return { ...found, memories, statements: wanted.length }
}
