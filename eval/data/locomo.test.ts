// The published file is read as its authors meant it, irregularities included: what cannot be judged is left
// out, and anything but a list of conversations is refused.
import { expect, test } from 'vitest'
import { parseLocomo, shareSpeakerName, withoutSpeakerNames } from './locomo.ts'

const turn = (id: string, text: string, more: object = {}) => ({
  speaker: 'Ada',
  dia_id: id,
  text,
  ...more,
})

const parse = (conversation: object, qa: unknown = []) => {
  const [parsed] = parseLocomo(JSON.stringify([{ conversation, qa }]))
  if (parsed === undefined) throw new Error('No conversation came out.')
  return parsed
}

const evidenceOf = (evidence: unknown, category = 1): string[][] =>
  parse({ session_1: [turn('D1:1', 'a'), turn('D1:2', 'b')] }, [
    { question: 'q', category, evidence },
  ]).questions.map((question) => [...question.evidence])

test('a turn becomes a memory with its speaker and the caption of what it shares', () => {
  const { turns } = parse({
    session_1: [turn('D1:1', 'Look!', { blip_caption: 'a red boat' }), turn('D1:2', 'Nice.')],
  })
  expect(turns).toEqual([
    { id: 'D1:1', content: 'Ada: Look! [shares a red boat]' },
    { id: 'D1:2', content: 'Ada: Nice.' },
  ])
})

test('sessions come in the order of their numbers, and their dates are no turns', () => {
  const { turns } = parse({
    session_10: [turn('D10:1', 'later')],
    session_2: [turn('D2:1', 'earlier')],
    session_2_date_time: '1 May',
    speaker_a: 'Ada',
  })
  expect(turns.map(({ id }) => id)).toEqual(['D2:1', 'D10:1'])
})

test('an evidence string may hold several ids, and ids of no turn are left out', () => {
  expect(evidenceOf(['D1:1; D1:2'])).toEqual([['D1:1', 'D1:2']])
  expect(evidenceOf(['D1:1 D1:2', 'D1:1'])).toEqual([['D1:1', 'D1:2']])
  expect(evidenceOf(['D9:9', 'D1:2'])).toEqual([['D1:2']])
})

test('questions of category 5 and those without existing evidence are left out', () => {
  expect(evidenceOf(['D1:1'], 5)).toEqual([])
  expect(evidenceOf(['D9:9'])).toEqual([])
  expect(evidenceOf([])).toEqual([])
  expect(evidenceOf(undefined)).toEqual([])
})

test('conversations share a name when a speaker of one is called like a speaker of the other', () => {
  const spokenBy = (...speakers: string[]) =>
    parse({ session_1: speakers.map((speaker) => turn('D1:1', 'a', { speaker })) })
  expect(shareSpeakerName(spokenBy('Ada', 'Bob'), spokenBy('Bob', 'Cleo'))).toBe(true)
  expect(shareSpeakerName(spokenBy('Ada', 'Bob'), spokenBy('Dora', 'Cleo'))).toBe(false)
})

test('a question without names asks about the user', () => {
  expect(withoutSpeakerNames("What is Ada's boat, Ada?", ['Ada'])).toBe(
    "What is the user's boat, the user?",
  )
})

test('a file that is not a list of conversations is refused', () => {
  expect(() => parseLocomo('{}')).toThrow('list of conversations')
  expect(() => parseLocomo('[{"qa": []}]')).toThrow('has no turns')
})
