// Remembering queries saves the model work and changes nothing else: not an answer, not a failure, and
// nothing that one asker could learn about another.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { QueryPart } from '../retrieval/evidence.ts'
import { fakeEmbedder } from '../testing/fake-embedder.ts'
import { type Embedder, EmbedderUnavailable } from './embedder.ts'
import { withRememberedQueries } from './remembered-queries.ts'

/** Counts the queries that reach the model. */
function countingEmbedder(overrides: Partial<Embedder> = {}) {
  const asked: string[] = []
  const fake = { ...fakeEmbedder(), ...overrides }
  const embedder: Embedder = {
    ...fake,
    embedQuery(query) {
      asked.push(query)
      return fake.embedQuery(query)
    },
  }
  return { asked, embedder }
}

const valuesOf = (parts: QueryPart[]): number[][] => parts.map(({ vector }) => [...vector])

describe('an embedder that remembers its queries', () => {
  test('embeds a query once, however often it is asked', async () => {
    const { asked, embedder } = countingEmbedder()
    const remembering = withRememberedQueries(embedder)
    const first = await remembering.embedQuery('dark roast')
    expect(await remembering.embedQuery('dark roast')).toEqual(first)
    expect(valuesOf(first)).toEqual(valuesOf(await fakeEmbedder().embedQuery('dark roast')))
    expect(asked).toEqual(['dark roast'])
  })

  test('embeds for each asker apart, so that no time tells what somebody else has asked', async () => {
    const { asked, embedder } = countingEmbedder()
    const remembering = withRememberedQueries(embedder)
    await Promise.all([1, 2, 1].map((asker) => remembering.embedQuery('dark roast', asker)))
    await remembering.embedQuery('dark roast', 2)
    expect(asked).toEqual(['dark roast', 'dark roast'])
  })

  test('takes texts that differ in case or in white space only for different queries', async () => {
    const { asked, embedder } = countingEmbedder()
    const remembering = withRememberedQueries(embedder)
    const queries = ['dark roast', 'Dark roast', 'dark roast ', 'dark  roast']
    for (const query of queries) await remembering.embedQuery(query)
    expect(asked).toEqual(queries)
  })

  test('embeds a query once that many ask at the same time', async () => {
    const { asked, embedder } = countingEmbedder({
      async embedQuery(query) {
        await setImmediate()
        return fakeEmbedder().embedQuery(query)
      },
    })
    const remembering = withRememberedQueries(embedder)
    const queries = ['one', 'two', 'one', 'one', 'two']
    const answers = await Promise.all(queries.map((query) => remembering.embedQuery(query)))
    expect(asked).toEqual(['one', 'two'])
    expect(answers[2]).toEqual(answers[0])
    expect(answers[4]).toEqual(answers[1])
    expect(answers[1]).not.toEqual(answers[0])
  })

  test('hands out vectors that may be changed', async () => {
    const remembering = withRememberedQueries(fakeEmbedder())
    const [first, beside] = await Promise.all([
      remembering.embedQuery('dark roast'),
      remembering.embedQuery('dark roast'),
    ])
    const values = valuesOf(first)
    first[0]?.vector.fill(0)
    first.push({ vector: new Float32Array(1), commonness: undefined })
    expect(valuesOf(beside)).toEqual(values)
    beside[0]?.vector.fill(0)
    expect(valuesOf(await remembering.embedQuery('dark roast'))).toEqual(values)
  })

  test('does not remember a failure, which reaches everyone who asked at that time', async () => {
    let fails = true
    const { asked, embedder } = countingEmbedder({
      async embedQuery(query) {
        if (fails) throw new EmbedderUnavailable('away')
        return fakeEmbedder().embedQuery(query)
      },
    })
    const remembering = withRememberedQueries(embedder)
    const failed = await Promise.allSettled([
      remembering.embedQuery('dark roast'),
      remembering.embedQuery('dark roast'),
    ])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    await expect(remembering.embedQuery('dark roast')).resolves.toHaveLength(1)
    expect(asked).toHaveLength(2)
  })

  test('gives a query up when the last of those who ask it has left, and begins it anew for the next', async () => {
    const given: (AbortSignal | undefined)[] = []
    const remembering = withRememberedQueries({
      ...fakeEmbedder(),
      embedQuery(_query, _asker, signal) {
        given.push(signal)
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    })
    const [one, other] = [new AbortController(), new AbortController()]
    const both = [one, other].map(({ signal }) => remembering.embedQuery('dark roast', 1, signal))
    one.abort(new Error('the first has left'))
    await setImmediate()
    expect(given[0]?.aborted).toBe(false)
    other.abort(new Error('left'))
    const next = remembering.embedQuery('dark roast', 1, new AbortController().signal)
    for (const outcome of both) await expect(outcome).rejects.toThrow('left')
    expect(given).toHaveLength(2)
    // What becomes of the one before does not touch it: who asks now joins it.
    const joining = remembering.embedQuery('dark roast', 1)
    await expect(Promise.race([next, joining, setImmediate('waits')])).resolves.toBe('waits')
    expect(given).toHaveLength(2)
  })

  test('asks the model nothing for whoever has left before', async () => {
    const { asked, embedder } = countingEmbedder()
    const remembering = withRememberedQueries(embedder)
    const reason = new Error('left')
    const left = AbortSignal.abort(reason)
    await expect(remembering.embedQuery('dark roast', 1, left)).rejects.toBe(reason)
    expect(asked).toEqual([])
  })

  test('forgets what was asked longest ago once it holds as much as it may', async () => {
    const { asked, embedder } = countingEmbedder()
    const bytesOfOne = 1 + embedder.model.dimension * Float32Array.BYTES_PER_ELEMENT
    const remembering = withRememberedQueries(embedder, 2 * bytesOfOne)
    for (const query of ['a', 'b', 'a', 'c', 'a', 'b']) await remembering.embedQuery(query)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  test('counts every piece of a long query, and embeds one that is too large to keep', async () => {
    const piecesOfLong = 3
    const { asked, embedder } = countingEmbedder({
      async embedQuery(query) {
        const [part] = await fakeEmbedder().embedQuery(query)
        return part === undefined ? [] : new Array<QueryPart>(piecesOfLong).fill(part)
      },
    })
    const bytesOfOne = 1 + embedder.model.dimension * Float32Array.BYTES_PER_ELEMENT
    const remembering = withRememberedQueries(embedder, 2 * bytesOfOne)
    for (const query of ['long', 'long']) {
      expect(await remembering.embedQuery(query)).toHaveLength(piecesOfLong)
    }
    expect(asked).toEqual(['long', 'long'])
  })

  test('forgets everything when it is closed', async () => {
    let closed = 0
    const { asked, embedder } = countingEmbedder({
      close: async () => {
        closed += 1
      },
    })
    const remembering = withRememberedQueries(embedder)
    await remembering.embedQuery('dark roast')
    await remembering.close()
    await remembering.embedQuery('dark roast')
    expect(asked).toHaveLength(2)
    expect(closed).toBe(1)
  })

  test('is as ready as the model, and embeds memories with it', async () => {
    let ready = false
    const remembering = withRememberedQueries({ ...fakeEmbedder(), isReady: () => ready })
    expect(remembering.isReady()).toBe(false)
    ready = true
    expect(remembering.isReady()).toBe(true)
    expect(await remembering.embedMemory('dark roast')).toEqual(
      await fakeEmbedder().embedMemory('dark roast'),
    )
  })
})
