// The bundled model was not made for these languages, so that its vectors for them must not count as meaning.
// Held to bounds as in everyday.test.ts. There most questions are in other words than the memories;
// here many are in the same words.
import { afterAll, expect, test } from 'vitest'
import { MeasuringClient } from '../client.ts'
import type { EverydayPerson } from '../data/everyday.ts'
import { peopleWhoWrite } from '../data/languages.ts'
import { startLocalService } from '../local-service.ts'
import { ServiceRetriever } from '../service-retriever.ts'
import { type EverydayFigures, measurePeople } from './everyday.ts'

const service = await startLocalService()
afterAll(() => service.stop())

function measure(people: readonly EverydayPerson[]): Promise<EverydayFigures> {
  const client = new MeasuringClient({ ...service, key: service.newKey() })
  return measurePeople(new ServiceRetriever(client), 'somebody', people)
}

test.each(['ar', 'ru', 'zh'] as const)(
  'a question in %s finds next to nothing that has no word of it',
  async (language) => {
    const { others, far } = await measure(peopleWhoWrite(language))
    expect(others.value).toBeLessThanOrEqual(0.3)
    expect(far.value).toBeLessThanOrEqual(0.13)
  },
)

test.each(['fi', 'fr', 'nl', 'pt', 'ro', 'tr'] as const)(
  'a question in %s finds little beside its answer, though it is in Latin letters',
  async (language) => {
    const { found, others, far } = await measure(peopleWhoWrite(language))
    expect(found.value).toBeGreaterThanOrEqual(0.15)
    expect(others.value).toBeLessThanOrEqual(0.4)
    expect(far.value).toBeLessThanOrEqual(0.13)
  },
)

test('a question with words of its answer finds it, and hardly anything beside it', async () => {
  const asked = [
    ['Анна пьёт зелёный чай по утрам', 'Что Анна пьёт утром?'],
    ['Мой брат живёт в Берлине', 'Где живёт мой брат?'],
    ['У меня аллергия на арахис', 'На что у меня аллергия?'],
    ['安娜每天早上喝绿茶', '安娜早上喝什么？'],
    ['我弟弟住在柏林', '我弟弟住在哪里？'],
    ['猫的名字叫小花', '猫叫什么名字？'],
    ['アンナは毎朝緑茶を飲みます', 'アンナは朝何を飲みますか？'],
    ['猫の名前はミケです', '猫の名前は何ですか？'],
    ['Η συνάντηση μεταφέρθηκε την Παρασκευή', 'Πότε είναι η συνάντηση;'],
    ['אחי גר בברלין', 'איפה אחי גר?'],
    ['تشرب آنا الشاي الأخضر كل صباح', 'ماذا تشرب آنا في الصباح؟'],
    ['لدي حساسية من الفول السوداني', 'ما الذي لدي حساسية منه؟'],
    ['Mein Bruder wohnt in Berlin', 'Wo wohnt mein Bruder?'],
    ['La reunión se ha pasado al viernes', '¿Cuándo es la reunión?'],
    ['Toplantı cumaya ertelendi', 'Toplantı ne zaman?'],
    ['Saya alergi kacang tanah', 'Saya alergi apa?'],
    ['Je prends le train de huit heures', 'Quel train est-ce que je prends ?'],
  ] as const
  const memories = asked.map(([content, question]) => ({ content, questions: [question] }))
  const { first, found, others } = await measure([{ memories, near: [], far: [] }])
  expect(first.value).toBe(1)
  expect(found.value).toBeGreaterThanOrEqual(0.9)
  expect(others.value).toBeLessThanOrEqual(0.1)
})
