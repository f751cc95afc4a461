/**
 * What search promises to its callers: a score that means something at the default threshold,
 * an order, bounds and filters. The texts are plain sentences that any sound embedding separates.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMemory, someUser } from './harness/operations.ts'
import { type SearchResult, searchResultsOf } from './harness/records.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()

async function search(query: string, body: object = {}): Promise<SearchResult[]> {
  const answer = await client.post('/v1/memories/search', { query, ...body })
  expect(answer.status).toBe(200)
  return searchResultsOf(answer.body)
}

const contents = (results: SearchResult[]) => results.map((result) => result.content)

describe('meaning', () => {
  const userId = someUser()
  const coffee = 'Alice drinks two cups of strong black coffee every morning.'
  const piano = 'Tom has been taking piano lessons since he was seven years old.'
  const flight = 'The flight to Lisbon leaves on Friday at six in the evening.'
  const allergy = 'Maria is allergic to peanuts and always carries an adrenaline pen.'
  const invoice = 'The invoice for the office chairs was paid by bank transfer in March.'

  beforeAll(async () => {
    for (const content of [coffee, piano, flight, allergy, invoice]) {
      await createMemory(client, { content, userId })
    }
  })

  test.each([
    ['What does Alice drink in the morning?', coffee],
    ['Which instrument does Tom play?', piano],
    ['When does the plane to Lisbon depart?', flight],
    ['Which food allergy does Maria have?', allergy],
    ['How was the invoice for the chairs paid?', invoice],
  ])(
    'the question "%s" finds its answer first, at the default threshold',
    async (query, answer) => {
      const results = await search(query, { userId })
      expect(contents(results)[0]).toBe(answer)
      expect(results[0]?.score).toBeGreaterThanOrEqual(0.5)
    },
  )

  test('text that is unrelated to everything stored is left out by default', async () => {
    const queries = [
      'renormalisation of quantum field theories on a lattice',
      'feeding habits of deep sea anglerfish',
      'the rules of offside in football',
    ]
    for (const query of queries) expect(contents(await search(query, { userId }))).toEqual([])
  })

  test('unrelated text scores below the default threshold and below related text', async () => {
    const results = await search('What does Alice drink in the morning?', { userId, threshold: 0 })
    const scores = new Map(results.map((result) => [result.content, result.score]))
    expect(scores.size).toBe(5)
    for (const unrelated of [piano, flight, allergy, invoice]) {
      expect(scores.get(unrelated)).toBeLessThan(0.5)
    }
  })

  test('a paraphrase without a common content word is found', async () => {
    const owner = someUser()
    const content = 'My daughter adopted a puppy from the animal shelter.'
    await createMemory(client, { content, userId: owner })
    await createMemory(client, { content: 'The printer needs new toner.', userId: owner })
    const query = 'our girl took home a young dog from a rescue centre'
    expect(contents(await search(query, { userId: owner, threshold: 0 }))[0]).toBe(content)
  })

  test('what is asked for by its day is what says that day', async () => {
    const owner = someUser()
    const inspection = 'Car inspection on 2026-12-07 at the garage.'
    const others = ['3 Dec 2026: dentist at 9:30', 'Dinner on December 12, 2026 at seven']
    for (const content of [inspection, ...others]) {
      await createMemory(client, { content, userId: owner })
    }
    for (const query of ['What is on 7 December 2026?', '2026-12-07', 'Dec 7']) {
      expect(contents(await search(query, { userId: owner }))).toEqual([inspection])
    }
  })

  test('identical text scores 1', async () => {
    expect((await search(coffee, { userId }))[0]).toMatchObject({ content: coffee, score: 1 })
  })

  // Models of one language know few words of others, and no emoji.
  test.each([['電話'], ['☕'], ['我喜欢喝茶吗']])(
    'the identical text alone scores 1, also for %s',
    async (text) => {
      const owner = someUser()
      const others = ['電視', '👍', '🎉', '我喜欢喝咖啡']
      for (const content of [text, ...others]) {
        await createMemory(client, { content, userId: owner })
      }
      const results = await search(text, { userId: owner, threshold: 1 })
      expect(contents(results)).toEqual([text])
      expect(contents(await search(text, { userId: owner, limit: 1 }))).toEqual([text])
    },
  )

  test('a code is found first among memories that differ only in their codes', async () => {
    const owner = someUser()
    const codes = ['ORD-48213-XK', 'ORD-48123-XK', 'ORD-77213-QM', 'ORD-90001-XX']
    for (const code of codes) {
      await createMemory(client, { content: `Order ${code} was shipped.`, userId: owner })
    }
    const results = await search('Where is order ord-77213-qm?', { userId: owner, threshold: 0 })
    expect(contents(results)[0]).toBe('Order ORD-77213-QM was shipped.')
  })
})

describe('long memories', () => {
  const fact = 'The safe in the cellar opens with the combination 27 left, 4 right, 63 left.'
  const query = 'What is the combination of the safe in the cellar?'
  const filler = [
    'The committee met on Tuesday and talked about the new parking rules near the station.',
    'Several members asked for wider bicycle lanes along the river.',
    'A report on the price of timber was read aloud and discussed at length.',
    'After lunch the group visited the greenhouse, where the tomatoes had begun to ripen.',
    'The choir will sing in the town hall if the heating has been repaired by then.',
  ]

  /** A text of exactly 10,000 characters with the fact at the given place. */
  function longText(place: 'start' | 'middle' | 'end'): string {
    const room = 10_000 - fact.length - 2
    let prose = ''
    for (let index = 0; prose.length < room; index += 1) prose += `${filler[index % 5]} `
    const cut = { start: 0, middle: prose.indexOf('. ', room / 2) + 2, end: room }[place]
    return `${prose.slice(0, cut)} ${fact} ${prose.slice(cut, room)}`
  }

  test.each([['start'], ['middle'], ['end']] as const)(
    'a fact at the %s of a memory of 10,000 characters is found first',
    async (place) => {
      const userId = someUser()
      const content = longText(place)
      expect(content.length).toBe(10_000)
      const { id } = await createMemory(client, { content, userId })
      for (const text of filler) await createMemory(client, { content: text, userId })
      const results = await search(query, { userId })
      expect(results[0]?.id).toBe(id)
      expect(results[0]?.content).toBe(content)
    },
  )
})

describe('threshold, limit and order', () => {
  const userId = someUser()
  beforeAll(async () => {
    for (let index = 0; index < 12; index += 1) {
      await createMemory(client, { content: `Bread recipe number ${index}: rye flour.`, userId })
    }
    await createMemory(client, { content: 'Telescope mirrors are polished.', userId })
  })
  const query = 'bread recipe with rye flour'

  test('search returns ten results unless a limit is given', async () => {
    expect((await search(query, { userId, threshold: 0 })).length).toBe(10)
    expect((await search(query, { userId, threshold: 0, limit: 3 })).length).toBe(3)
    expect((await search(query, { userId, threshold: 0, limit: 100 })).length).toBe(13)
  })

  test('the default threshold is 0.5', async () => {
    const byDefault = await search(query, { userId, limit: 100 })
    const explicit = await search(query, { userId, limit: 100, threshold: 0.5 })
    expect(explicit).toEqual(byDefault)
    const all = await search(query, { userId, limit: 100, threshold: 0 })
    expect(byDefault).toEqual(all.filter((result) => result.score >= 0.5))
    expect(byDefault.length).toBeGreaterThan(0)
    expect(byDefault.length).toBeLessThan(all.length)
  })

  test('no result lies below the threshold, and none at or above it is missing', async () => {
    const all = await search(query, { userId, limit: 100, threshold: 0 })
    expect(all).toHaveLength(13)
    for (const { score: threshold } of all) {
      const kept = await search(query, { userId, limit: 100, threshold })
      expect(kept).toEqual(all.filter((result) => result.score >= threshold))
    }
  })

  test('threshold 0 returns the best results however low, zeros included', async () => {
    const all = await search('zygomorphic orchids', { userId, limit: 100, threshold: 0 })
    expect(all.length).toBe(13)
  })

  test('threshold 1 returns only what is identical', async () => {
    const text = 'Telescope mirrors are polished.'
    expect(contents(await search(text, { userId, threshold: 1 }))).toEqual([text])
    expect(await search('polishing mirrors', { userId, threshold: 1 })).toEqual([])
  })

  test('results come in falling order of a score between 0 and 1 of at most 4 decimals', async () => {
    const scores = (await search(query, { userId, limit: 100, threshold: 0 })).map((r) => r.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const score of scores) expect(Number(score.toFixed(4))).toBe(score)
  })

  test('the best results are the first ones of the whole ranking', async () => {
    const all = await search(query, { userId, limit: 100, threshold: 0 })
    expect(await search(query, { userId, limit: 4, threshold: 0 })).toEqual(all.slice(0, 4))
  })

  test('equal scores come newest first', async () => {
    const owner = someUser()
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) {
      const made = await createMemory(client, { content: 'The very same words.', userId: owner })
      ids.unshift(made.id)
      await pause(5)
    }
    const results = await search('some words', { userId: owner, threshold: 0 })
    expect(results.map((result) => result.id)).toEqual(ids)
  })

  test('the same search gives the same answer', async () => {
    const once = await search(query, { userId, threshold: 0 })
    expect(await search(query, { userId, threshold: 0 })).toEqual(once)
  })
})

describe('filters and fields', () => {
  test('a search result carries the fields of the contract and no others', async () => {
    const userId = someUser()
    const fields = { userId, agentId: 'helper', tags: ['b', 'a'], metadata: { secret: 1 } }
    const made = await createMemory(client, { content: 'Full record.', ...fields })
    const { updatedAt, metadata, ...shown } = made
    expect([updatedAt.length > 0, metadata]).toEqual([true, { secret: 1 }])
    expect(await search('Full record.', { userId })).toEqual([{ ...shown, score: 1 }])
  })

  test('agentId is absent from a result whose memory has none', async () => {
    const userId = someUser()
    await createMemory(client, { content: 'No agent.', userId })
    const [result] = await search('No agent.', { userId })
    expect(result).toMatchObject({ tags: [] })
    expect(result).not.toHaveProperty('agentId')
  })

  test('search filters by user, agent and all tags are joined by AND', async () => {
    const userId = someUser()
    const make = (content: string, fields: object) =>
      createMemory(client, { content, userId, ...fields })
    await make('note one', { agentId: 'a', tags: ['x'] })
    await make('note two', { agentId: 'a', tags: ['x', 'y'] })
    await make('note three', { agentId: 'b', tags: ['y', 'x', 'with, comma'] })
    await make('note four', {})
    const found = async (filter: object) =>
      contents(await search('note', { userId, threshold: 0, ...filter })).sort()
    expect(await found({})).toEqual(['note four', 'note one', 'note three', 'note two'])
    expect(await found({ tags: [] })).toEqual(await found({}))
    expect(await found({ agentId: 'a' })).toEqual(['note one', 'note two'])
    expect(await found({ tags: ['x', 'y'] })).toEqual(['note three', 'note two'])
    expect(await found({ tags: ['x', 'y'], agentId: 'a' })).toEqual(['note two'])
    expect(await found({ tags: ['with, comma'] })).toEqual(['note three'])
    expect(await found({ tags: ['X'] })).toEqual([])
    expect(await found({ userId: someUser() })).toEqual([])
  })

  test('a filter loses no match, however many better ones it excludes', async () => {
    const [crowd, loner] = [someUser(), someUser()]
    await createMemory(client, { content: 'Something about gardens, perhaps.', userId: loner })
    await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        createMemory(client, { content: `Roses in garden ${index}`, userId: crowd }),
      ),
    )
    const results = await search('roses in the garden', { userId: loner, threshold: 0, limit: 1 })
    expect(results.map((result) => result.userId)).toEqual([loner])
  })

  test('a memory is searchable as soon as its creation is answered', async () => {
    const userId = someUser()
    for (let index = 0; index < 20; index += 1) {
      const { id } = await createMemory(client, { content: `Fresh fact ${index}.`, userId })
      const [best] = await search(`Fresh fact ${index}.`, { userId, limit: 1 })
      expect(best?.id).toBe(id)
    }
  })
})
