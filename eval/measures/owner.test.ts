// What agents keep about "the user" answers what the user asks as "I", and the other way round, whatever is said
// around the question, with the bundled model over HTTP. decisions/2026-11-27-the-user-is-i.md,
// decisions/2026-11-29-requests.md
import { afterAll, expect, test } from 'vitest'
import { MeasuringClient } from '../client.ts'
import { startLocalService } from '../local-service.ts'
import { ServiceRetriever } from '../service-retriever.ts'
import { measurePeople } from './everyday.ts'

const ASKED = [
  { of: 'lives in Lisbon', questions: ['Where do I live?', 'What city am I based in?'] },
  { of: 'is vegetarian', questions: ['Do I eat meat?'] },
  { of: 'works as a nurse at St. Mary hospital', questions: ['Where do I work?'] },
  { of: 'drives a blue Volvo', questions: ['What car do I have?'] },
  { of: 'is allergic to peanuts', questions: ['Can I eat nuts?'] },
  { of: 'plays the cello on Thursdays', questions: ['What instrument do I play?'] },
  { of: 'is learning Japanese', questions: ['Which language am I studying?'] },
  { of: 'hates flying', questions: ['Am I afraid of airplanes?'] },
  { of: 'takes metformin twice a day', questions: ['What medication do I take?'] },
]

const service = await startLocalService()
afterAll(() => service.stop())

test.each([
  ['User', (question: string) => question],
  ['The user', (question: string) => question],
  ['', (question: string) => question],
  ['I', (question: string) => question.replace(/\bI\b/, 'the user')],
  ['User', (question: string) => `Hey Claude! ${question}`],
])('what begins with "%s" is found by whoever asks, and nothing beside it', async (who, asking) => {
  const client = new MeasuringClient({ ...service, key: service.newKey() })
  const memories = ASKED.map(({ of, questions }) => ({
    content: who === '' ? `${of.charAt(0).toUpperCase()}${of.slice(1)}` : `${who} ${of}`,
    questions: questions.map(asking),
  }))
  const person = { memories, near: [], far: ['How is paper made?', 'Who discovered helium?'] }
  const { first, found, others, far } = await measurePeople(
    new ServiceRetriever(client),
    'somebody',
    [person],
  )
  expect(first.value).toBe(1)
  expect(found.value).toBeGreaterThanOrEqual(0.9)
  expect(others.value).toBeLessThanOrEqual(0.1)
  expect(far.value).toBe(0)
})
