// An import that ended early, taken up as it says when nobody knows its lines by their keys any more, since a day
// is over or the API key is another one: each line is stored once, also where short texts were stored before long
// ones that stand in front of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { setUpConsole } from '../../testing/console-client.ts'
import { setDatabaseClock } from '../../testing/database-clock.ts'
import { toJsonLines } from '../../testing/import-client.ts'
import { importCommand } from '../../testing/import-command.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { setClock } from '../../testing/set-clock.ts'

const server = inject('postgresUrl')
const NOVEMBER = Date.UTC(2026, 10, 10)
const MONTH_MS = 31 * 24 * 60 * 60 * 1000

/** Of 10 to 1,500 characters, long and short in turn. */
const CONTENTS = Array.from({ length: 300 }, (_, n) =>
  `memory ${n} `.padEnd(10 + ((n * 733) % 1_491), 'x'),
)
const LINES = toJsonLines(CONTENTS.map((content) => ({ content, userId: 'u' })))

/** With the options that the command has told. */
const told = (stderr: string): string[] =>
  /Later than that, or with another key, add (--from-line \d+(?: --except [\d,-]+)?)\.$/m
    .exec(stderr)?.[1]
    ?.split(' ') ?? []

const imported = (stderr: string): number => Number(/^Imported: (\d+)\./m.exec(stderr)?.[1])

describe.each(server === undefined ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (store) => {
  /** A server whose model takes longer for longer texts, and whose time the test has in hand. */
  async function slowServer(failAt?: (content: string) => void | Promise<void>) {
    const clock = setClock(NOVEMBER)
    const embedding = async (content: string): Promise<void> => {
      await sleep(content.length / 20)
      await failAt?.(content)
    }
    if (store === 'sqlite') {
      const command = await importCommand({ plan: 'free', clock, embedding })
      return { ...command, aMonthLater: async () => clock.pass(MONTH_MS) }
    }
    const database = await newDatabase(server ?? '')
    onTestFinished(() => database.drop())
    const setTime = await setDatabaseClock(database, NOVEMBER)
    const settings = { DATABASE_URL: database.url }
    const command = await importCommand({ plan: 'free', clock, embedding, settings })
    const aMonthLater = async (): Promise<void> => {
      clock.pass(MONTH_MS)
      await setTime(NOVEMBER + MONTH_MS)
    }
    return { ...command, aMonthLater }
  }

  test('a quota that ends in the middle: what is told is stored, and the way on stores the rest', async () => {
    const { service, key, file, run, stored, aMonthLater } = await slowServer()
    const charge = { keyId: key.id, month: '2026-11' }
    await service.service.store.usage.add([{ ...charge, operations: 900, lastUsedAt: 1 }])
    const path = file(LINES)
    const first = await run(path)
    expect([first.status, imported(first.stderr)]).toEqual([1, 100])
    expect(first.stderr).toContain('quota of the key is used up at line')
    expect(await stored()).toHaveLength(100)
    await aMonthLater()
    const second = await run(path, ...told(first.stderr))
    expect([second.status, imported(second.stderr)]).toEqual([0, 200])
    expect((await stored()).toSorted()).toEqual(CONTENTS.toSorted())
  })

  test('a line at which the server failed: those behind it that are stored are not sent again', async () => {
    let isAway = true
    const { cli, settings, to, file, run, stored, aMonthLater } = await slowServer((content) => {
      if (isAway && content.startsWith('memory 100 ')) throw new EmbedderUnavailable('away')
    })
    const path = file(LINES)
    const command = cli.start(['import', path, ...to()], settings)
    await expect.poll(() => command.stderr).toContain('Waiting for the server')
    command.child.kill('SIGINT')
    const { status, stderr } = await command.ended()
    expect([status, stderr]).toEqual([1, expect.stringContaining('--from-line 101 --except 102-')])
    expect(await stored()).toHaveLength(imported(stderr))
    isAway = false
    await aMonthLater()
    expect(await run(path, ...told(stderr))).toMatchObject({ status: 0 })
    expect((await stored()).toSorted()).toEqual(CONTENTS.toSorted())
  })

  test('a key that is rotated in the middle: the way on that is told stores the rest with the new one', async () => {
    let rotate = async (): Promise<void> => undefined
    const { cli, service, key, to, file, run, stored } = await slowServer(async (content) => {
      if (content.startsWith('memory 100 ')) await rotate()
    })
    const admin = await setUpConsole(service)
    let successor = ''
    rotate = async () => {
      successor ||= Object((await admin.post(`/keys/${key.id}/rotate`)).body).secret
    }
    const path = file(LINES)
    const first = await run(path)
    expect([first.status, first.stderr]).toEqual([1, expect.stringContaining('was revoked')])
    expect(await stored()).toHaveLength(imported(first.stderr))
    const again = await run(path)
    expect(again.stderr).toContain('add the --from-line that it told')
    expect(told(again.stderr)).toEqual([])
    const args = ['import', path, ...to(), ...told(first.stderr)]
    expect(await cli.run(args, { API_KEY: successor })).toMatchObject({ status: 0 })
    expect((await stored()).toSorted()).toEqual(CONTENTS.toSorted())
  })
})
