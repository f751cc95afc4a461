// Lines that fail on our side after the whole body was read: their client has to hear of it too, and from
// where to send again.
import { afterEach, expect, test } from 'vitest'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { importAll, settled, toJsonLines } from '../../testing/import-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

let service: TestService
afterEach(() => service[Symbol.asyncDispose]())

const TEXTS = ['first', 'second', 'third']

test.each([
  ['first', 'second'],
  ['second', 'first'],
])(
  'when the %s of two lines fails before the %s, their client goes on at the first, and one failure is told and logged',
  async (...order) => {
    const fake = fakeEmbedder()
    const embedded = new Map(TEXTS.map((text) => [text, Promise.withResolvers<void>()]))
    let asked = 0
    const logged: string[] = []
    service = await runService({
      embedder: {
        ...fake,
        embedMemory: async (content) => {
          asked += 1
          await embedded.get(content)?.promise
          return fake.embedMemory(content)
        },
      },
      logTo: { write: (line) => logged.push(line) },
      settings: { MNEMOGRAPH_LOG_LEVEL: 'error' },
    })
    const { key } = await service.newKey()
    const lines = ['stored', ...TEXTS].map((content) => ({ content, userId: 'u' }))
    const answering = importAll(service.address, key, toJsonLines(lines))
    await expect.poll(() => asked).toBe(lines.length)
    await settled()
    const away = new EmbedderUnavailable('The model is away.', new Error('It crashed.'))
    embedded.get(order[0])?.reject(away)
    await settled()
    embedded.get(order[1])?.reject(new Error('Something else.'))
    embedded.get('third')?.resolve()
    const answers = await answering
    expect(answers.at(-1)).toMatchObject({
      summary: { created: 2, refused: 2, stopped: { code: 'SERVICE_UNAVAILABLE' }, nextLine: 2 },
    })
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('The model is away.')
  },
)
