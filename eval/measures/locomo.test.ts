// The figures of LoCoMo are those that EVALUATION.md defines. Answers are made up, so that
// each can be worked out by hand.
import { expect, test } from 'vitest'
import type { Hit, Retriever } from '../retriever.ts'
import { type Judged, judgeLocomo, locomoFigures } from './locomo.ts'

const judged = (more: Partial<Judged>): Judged => ({
  conversation: 'a',
  recall: 0,
  ndcg: 0,
  evidenceScores: [],
  foundElsewhere: false,
  hasCommonName: false,
  ...more,
})

const answering = (answers: Record<string, Hit[]>, threshold?: number): Retriever => ({
  name: 'fixed',
  threshold,
  add: async () => {},
  search: async (user, _query, cut) =>
    (answers[user] ?? []).filter(({ score }) => score >= (cut.threshold ?? threshold ?? 0)),
})

const conversation = (id: string, speaker: string, evidence: string[]) => ({
  id,
  speakers: [speaker],
  turns: [],
  questions: [{ text: 'q', evidence: new Set(evidence) }],
})

test('a question is judged in its own conversation and asked in the next one', async () => {
  const retriever = answering(
    {
      a: [
        { id: 'x', score: 0.9 },
        { id: 't', score: 0.4 },
      ],
      b: [{ id: 'y', score: 0.4 }],
    },
    0.5,
  )
  const conversations = [conversation('a', 'Ada', ['t']), conversation('b', 'Bob', ['y'])]
  const [first, second] = await judgeLocomo(retriever, conversations)
  expect(first).toMatchObject({ recall: 1, evidenceScores: [0.4], foundElsewhere: false })
  expect(second).toMatchObject({ recall: 1, evidenceScores: [0.4], foundElsewhere: true })
  expect(first?.ndcg).toBeCloseTo(1 / Math.log2(3))
})

test('kept is a share of the evidence, not of the questions', () => {
  const figures = locomoFigures(
    [judged({ evidenceScores: [0.9, 0.8, 0.7] }), judged({ evidenceScores: [0.1] })],
    0.5,
  )
  expect(figures.kept?.value).toBe(0.75)
})

test('false takes every fourth question, and in its stricter form none with a common name', () => {
  const asked = Array.from({ length: 8 }, (_, index) =>
    judged({ foundElsewhere: index === 4 || index === 5, hasCommonName: index === 4 }),
  )
  const figures = locomoFigures(asked, 0.5)
  expect(figures.false?.value).toBe(1 / 2)
  expect(figures.falseNoCommonName?.value).toBeCloseTo(1 / 7)
})

test('a method without a threshold has no kept and no false', () => {
  const figures = locomoFigures([judged({ foundElsewhere: undefined })], undefined)
  expect(Object.keys(figures)).toEqual(['questions', 'recall', 'ndcg', 'conversations'])
})

test('each conversation has its own figures', () => {
  const figures = locomoFigures([judged({ recall: 1 }), judged({ conversation: 'b' })], 0.5)
  expect(figures.conversations.map(({ id, recall }) => [id, recall])).toEqual([
    ['a', 1],
    ['b', 0],
  ])
})
