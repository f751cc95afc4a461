// The bundled model itself: it keeps what every embedder promises, tells meanings apart, and lets no
// short text wait for a long one.
import { pathToFileURL } from 'node:url'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEmbedder } from '../embedder.suite.ts'
import { type Embedder, EmbedderRefusal, EmbedderUnavailable } from '../embedder.ts'
import { openLocalEmbedder } from './local-embedder.ts'

const open = (workers: number): Promise<Embedder> =>
  openLocalEmbedder({ folder: modelFolder, workers })

const cosineOf = (one: Float32Array = new Float32Array(), other = one): number =>
  one.reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0)

describeEmbedder('local', () => open(2))

describe('the bundled model', () => {
  let embedder: Embedder
  beforeAll(async () => {
    embedder = await open(1)
  })
  afterAll(() => embedder.close())

  async function similarity(one: string, other: string): Promise<number> {
    const [left, right] = await Promise.all([embedder.embedQuery(one), embedder.embedQuery(other)])
    return cosineOf(left[0]?.vector, right[0]?.vector)
  }

  test('finds texts of the same meaning similar and others not', async () => {
    const question = 'What does Anna like to drink?'
    const related = await similarity(question, 'Anna prefers dark roast coffee in the morning.')
    const unrelated = await similarity(question, 'The harbour was closed because of a storm.')
    expect(related).toBeGreaterThan(unrelated + 0.1)
  })

  test('reads of a query what is asked for', async () => {
    const asked = 'Q: **What does Anna drink???** 🙂'
    expect(await similarity(asked, 'What does Anna drink?')).toBeCloseTo(1, 5)
  })

  test('reads the words beside emoji and every part of a very long word', async () => {
    expect(await similarity('great😀', 'great 😀')).toBeCloseTo(1, 5)
    const start = 'q7zk2lw9'.repeat(14)
    expect(await similarity(`${start}m3xv8tb1`, `${start}harbour`)).toBeLessThan(0.999)
  })

  test.each([
    ['What does Anna drink?', [false]],
    ['電話', [true]],
    ['Did Anna send a ☕?', [true]],
    [`${'Anna drinks tea at noon. '.repeat(30)}電話`, [false, true]],
    ['Hey Claude, what does Anna drink?', [true]],
    ['**What does Anna drink?**', [true]],
  ])(
    'says whether something of a query is unknown to it, or left out for it: %s',
    async (query, unknown) => {
      const parts = await embedder.embedQuery(query)
      expect(parts.map(({ hasUnknown }) => hasUnknown)).toEqual(unknown)
    },
  )

  test.each([
    ['電話', true],
    ['咖啡', true],
    ['咖啡！', true],
    ['🚀🚀', true],
    ['สวัสดี', true],
    ['我喜欢喝咖啡', false],
    ['a ☕', false],
    ['!?', false],
  ])('says whether it knows nothing of a query: %s', async (query, unread) => {
    const parts = await embedder.embedQuery(query)
    expect(parts.map(({ isUnread }) => isUnread)).toEqual([unread])
  })

  test('reads a query of several pieces in the first person, as it does the memory', async () => {
    const text = `Likes green tea in the afternoon. ${'Bob is away until May. '.repeat(30)}`
    const [[part], [piece]] = await Promise.all([
      embedder.embedQuery(text),
      embedder.embedMemory(text),
    ])
    const [said] = await embedder.embedQuery(`I likes${text.slice('Likes'.length)}`)
    expect(piece && cosineOf(part?.vector, piece.vector)).toBeCloseTo(1, 5)
    expect(cosineOf(part?.vector, said?.vector)).toBeCloseTo(1, 5)
  })

  test('embeds a sentence that several pieces have once', async () => {
    const tea = 'Anna drinks green tea at noon.'
    const pieces = await embedder.embedMemory(
      `${tea} ${'Bob is away until May. '.repeat(30)}${tea}`,
    )
    const [first, last] = [pieces.at(0)?.sentences.at(0), pieces.at(-1)?.sentences.at(-1)]
    expect(pieces.length).toBeGreaterThan(1)
    expect(first?.vector).toBeInstanceOf(Float32Array)
    expect(last?.vector).toBe(first?.vector)
  })

  test('has a vector near to what is said anywhere in a text that ends no sentence', async () => {
    const fact = 'the spare key lies under the blue flower pot'
    const filler = 'and then we talked about the weather and the new schedule for hours '
    const [query] = await embedder.embedQuery(fact)
    for (const before of [0, 1, 7, 14]) {
      const text = `${filler.repeat(before)}${fact} ${filler.repeat(14 - before)}`
      const vectors = (await embedder.embedMemory(text)).flatMap(({ vector, sentences }) => [
        vector,
        ...sentences.map((sentence) => sentence.vector),
      ])
      const nearest = Math.max(...vectors.map((vector) => cosineOf(query?.vector, vector)))
      expect(nearest, `${before} before`).toBeGreaterThan(0.8)
    }
  })

  test('answers a short query before a long one that came first', async () => {
    const answered: string[] = []
    const long = embedder.embedQuery('각나다 '.repeat(500)).then(() => answered.push('long'))
    // By then the long one is in pieces, which wait.
    await embedder.embedQuery('how long is it?')
    await embedder.embedQuery('which one is first?')
    answered.push('short')
    await long
    expect(answered).toEqual(['short', 'long'])
  })

  test('does not let the long text of one space hold up the short one of another', async () => {
    const done: string[] = []
    const sentences = Array.from({ length: 60 }, (_, day) => `On day ${day} nothing came to pass.`)
    const long = embedder
      .embedMemory(sentences.join(' '), 'patient', 1)
      .then(() => done.push('long'))
    // By then the long one is in pieces, which wait.
    await embedder.embedQuery('how long is it?')
    await embedder.embedMemory('It rained.', 'patient', 2)
    done.push('short')
    await long
    expect(done).toEqual(['short', 'long'])
  })

  test.each<[string, (of: Embedder, text: string, asker: number) => Promise<unknown[]>]>([
    ['memories', (full, text, asker) => full.embedMemory(text, 'patient', asker)],
    ['queries', (full, text, asker) => full.embedQuery(text, asker)],
  ])('does not let the many %s of one space keep out those of another', async (_, embed) => {
    const full = await open(1)
    const long = 'Nothing came to pass. '.repeat(500).slice(0, 10_000)
    const many = Promise.allSettled(Array.from({ length: 200 }, () => embed(full, long, 1)))
    await expect(embed(full, 'It rained.', 1)).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(full.isReady()).toBe(true)
    await expect(embed(full, 'It rained.', 2)).resolves.toHaveLength(1)
    await full.close()
    await many
  })

  test('is closed in the middle of its work without harm to the process', async () => {
    const closed = await open(2)
    const long = 'The kettle sings at noon. A cat sleeps on the mat. Nobody minds it. '.repeat(100)
    const underWay = expect(closed.embedMemory(long)).rejects.toBeInstanceOf(EmbedderUnavailable)
    await closed.embedQuery('one piece is under way by now')
    await closed.close()
    await underWay
  })

  test('refuses texts when it is closed', async () => {
    const closed = await open(1)
    await closed.close()
    await expect(closed.embedMemory('too late')).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(closed.isReady()).toBe(false)
  })
})

describe('a folder without a model', () => {
  test('is refused with a text that names it', async () => {
    const folder = pathToFileURL('/nonexistent/model/')
    const opening = openLocalEmbedder({ folder, workers: 1 })
    await expect(opening).rejects.toBeInstanceOf(EmbedderRefusal)
    await expect(opening).rejects.toThrow('/nonexistent/model/')
  })
})
