// A store that is killed while its log is written over. Frames of an earlier round then lie behind those
// of the last one: neither may what was acknowledged be missing, nor what was deleted come back.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { wholeNumbers } from '../../../testing/random-numbers.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { canariesIn, canaryOf, expectNone } from '../testing/canaries.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { contentOf, idOf } from '../testing/write-until-killed.ts'

const CYCLES = 3
/** That the log is seen in before the kill, besides the one of the start. */
const ROUNDS = 3
const KILL_WITHIN_MS = 300
const LOOK_MS = 5
const writeUntilKilled = fileURLToPath(new URL('../testing/write-until-killed.ts', import.meta.url))

type Answered = { created: Set<number>; deletes: Set<number>; deleted: Set<number> }

/** Tell a round of the log from others. */
function saltsOfLog(directory: string): string {
  const bytes = Buffer.alloc(32)
  const descriptor = openSync(`${databaseFile(directory)}-wal`, 'r')
  try {
    return readSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length
      ? 'none'
      : bytes.toString('hex', 16, 24)
  } finally {
    closeSync(descriptor)
  }
}

async function writeAndKill(directory: string, answered: Answered, delayMs: number): Promise<void> {
  // Behind what the one before may have written without saying so.
  const first = [...answered.created].reduce((last, one) => Math.max(last, one), 0) + 1_000
  // A file, which never makes the child wait for this process as a pipe does.
  const said = join(newFolder(), 'said')
  const descriptor = openSync(said, 'w')
  const child = spawn(process.execPath, [writeUntilKilled, directory, String(first)], {
    stdio: ['ignore', descriptor, 'pipe'],
  })
  closeSync(descriptor)
  const closed = once(child, 'close')
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  try {
    const rounds = new Set<string>()
    while (rounds.size <= ROUNDS && child.exitCode === null && child.signalCode === null) {
      await wait(LOOK_MS)
      if (statSync(said).size > 0) rounds.add(saltsOfLog(directory))
    }
    await wait(delayMs)
    expect([child.exitCode, child.signalCode], complaints).toEqual([null, null])
  } finally {
    child.kill('SIGKILL')
    await closed
  }
  for (const line of readFileSync(said, 'utf8').split('\n').slice(0, -1)) {
    const [what, record] = line.split(' ')
    if (what === 'created' || what === 'deletes' || what === 'deleted') {
      answered[what].add(Number(record))
    }
  }
}

test('what was acknowledged holds after kills in the middle of a log that is written over', async () => {
  const directory = newFolder()
  const answered: Answered = { created: new Set(), deletes: new Set(), deleted: new Set() }
  const random = wholeNumbers(7)
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await writeAndKill(directory, answered, random(KILL_WITHIN_MS))
    const deleted = [...answered.deleted]
    expectNone(new Set(deleted.map(canaryOf)), canariesIn(directory))
    const store = await openIn(directory)
    const [key] = await store.keys.list()
    if (key === undefined) throw new Error('The key is lost.')
    const { memories } = store.forSpace(key.spaceId)
    for (const record of answered.created) {
      if (answered.deletes.has(record)) continue
      expect((await memories.find(idOf(record)))?.content).toBe(contentOf(record))
    }
    for (const record of deleted) expect(await memories.find(idOf(record))).toBeUndefined()
    expectNone(new Set(deleted.map(canaryOf)), canariesIn(directory))
    await store.close()
  }
  expect(answered.deleted.size).toBeGreaterThan(0)
}, 120_000)
