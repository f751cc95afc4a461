// The whole service with the bundled model, as users run it, held to floors (floors.ts). A failure prints all
// figures and every miss.
import { afterAll, expect, test } from 'vitest'
import { MeasuringClient } from '../client.ts'
import { startLocalService } from '../local-service.ts'
import { ServiceRetriever } from '../service-retriever.ts'
import { FALSE_MAX, FLOOR_OF_ALL, FLOORS_BY_KIND } from './floors.ts'
import {
  falseShareOf,
  figuresByKind,
  figuresOf,
  measureRegression,
  type RegressionFigures,
} from './measure-regression.ts'
import { MEMORIES, QUESTIONS, UNRELATED } from './regression-set.ts'
import { missesOf, regressionTable } from './report-regression.ts'

const service = await startLocalService()
afterAll(() => service.stop())
const regression = await measureRegression(new ServiceRetriever(new MeasuringClient(service)))

const report = (): string =>
  `\n${[regressionTable(regression), ...missesOf(regression)].join('\n')}\n`

function below(figures: RegressionFigures, floors: Omit<RegressionFigures, 'questions'>): string[] {
  return (['recallAt1', 'recallAt3', 'ndcg', 'above'] as const).filter(
    (name) => figures[name] < floors[name],
  )
}

test('the set is as large as it has to be, and every answer is one of its memories', () => {
  expect(Object.keys(MEMORIES).length).toBeGreaterThanOrEqual(120)
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(100)
  expect(UNRELATED.length).toBeGreaterThanOrEqual(50)
  const answers = QUESTIONS.flatMap(({ answers }) => answers)
  expect(answers.filter((name) => MEMORIES[name] === undefined)).toEqual([])
  expect(new Set(QUESTIONS.map(({ kind }) => kind))).toEqual(new Set(Object.keys(FLOORS_BY_KIND)))
})

test('all questions together find their answers as well as before', () => {
  expect(below(figuresOf(regression.answered), FLOOR_OF_ALL), report()).toEqual([])
})

test.each(Object.keys(FLOORS_BY_KIND))('questions of the kind "%s" do', (kind) => {
  const ofKind = new Map(figuresByKind(regression.answered)).get(kind)
  const floors = FLOORS_BY_KIND[kind]
  if (ofKind === undefined || floors === undefined) throw new Error(`No question is ${kind}.`)
  expect(below(ofKind, floors), report()).toEqual([])
})

test('hardly any unrelated question finds anything at the default threshold', () => {
  expect(falseShareOf(regression.refused), report()).toBeLessThanOrEqual(FALSE_MAX)
})
