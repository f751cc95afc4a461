/**
 * A service with two embedding models, `old` and `new`, whose vectors have nothing to do with each
 * other. To both, a word and its mirror image by thirteen letters mean the same, so that a memory is
 * found by a query that shares no word with it, and only when query and memory were embedded by one
 * model. It keeps count of who had what embedded.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from 'typebox'
import { listenOnLoopback } from '../harness/loopback.ts'
import { read } from '../harness/read.ts'

const DIMENSION = 64
/** Long enough that a re-embedding takes a while. */
const ANSWER_MS = 15
const Request = Type.Object(
  { model: Type.String(), input: Type.Array(Type.String()) },
  { additionalProperties: true },
)

export interface WordModels {
  readonly settings: (model: 'old' | 'new', key: string) => Readonly<Record<string, string>>
  /** How many texts were embedded with the key so far. */
  readonly textsOf: (key: string) => number
  /** Resolves when so many texts more with the key have arrived. */
  readonly nextTexts: (key: string, count: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The word that means the same to both models. */
export const synonymOf = (word: string): string =>
  word.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  )

/** A word of its own for each number, which no stemmer takes apart. */
export const wordOf = (number: number): string =>
  `qz${[...String(number).padStart(6, '0')].map((digit) => 'bdfhjlmkgc'[Number(digit)]).join('')}`

function vectorOf(model: string, text: string): number[] {
  const meaning = [text, synonymOf(text)].sort()[0]
  const bytes = createHash('sha512').update(`${model} ${meaning}`).digest()
  return Array.from({ length: DIMENSION }, (_, axis) => bytes.readUInt8(axis) - 127.5)
}

export async function startWordModels(): Promise<WordModels> {
  const texts = new Map<string, number>()
  const waiting = new Set<{ key: string; until: number; resolve: () => void }>()
  const textsOf = (key: string): number => texts.get(key) ?? 0
  const server = createServer(async (request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const { model, input } = read(Request, JSON.parse(await textOf(request)))
    texts.set(key, textsOf(key) + input.length)
    for (const one of waiting) {
      if (one.key !== key || textsOf(key) < one.until) continue
      waiting.delete(one)
      one.resolve()
    }
    await wait(ANSWER_MS)
    const data = input.map((text, index) => ({ index, embedding: vectorOf(model, text) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  const url = `${await listenOnLoopback(server)}/v1`
  return {
    settings: (model, key) => ({
      MNEMOGRAPH_EMBEDDER: 'openai',
      MNEMOGRAPH_EMBEDDING_URL: url,
      MNEMOGRAPH_EMBEDDING_KEY: key,
      MNEMOGRAPH_EMBEDDING_MODEL: model,
      MNEMOGRAPH_EMBEDDING_DIMENSION: `${DIMENSION}`,
    }),
    textsOf,
    nextTexts: (key, count) =>
      new Promise((resolve) => void waiting.add({ key, until: textsOf(key) + count, resolve })),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
