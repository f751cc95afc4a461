// Progress is told in one line on a terminal and every few seconds in a log, with a rate and a time left that
// are those of this run. The time is set.
import { expect, test } from 'vitest'
import { Progress, progressLine } from './progress.ts'

const run = (done: number, tookMs: number) => ({ done, tookMs })

test.each([
  [0, 0, run(0, 0), '0 of 0 memories (100 %)'],
  [5, 100, run(0, 0), '5 of 100 memories (5 %)'],
  [5, 100, run(0, 4_000), '5 of 100 memories (5 %)'],
  [20, 100, run(10, 4_000), '20 of 100 memories (20 %), 2.5 a second, 32 s left'],
  [999, 100_000, run(500, 10_000), '999 of 100000 memories (0 %), 50 a second, 34 min left'],
  [
    100,
    1_000_000,
    run(100, 10_000),
    '100 of 1000000 memories (0 %), 10 a second, 27 h 47 min left',
  ],
  [100, 100, run(100, 10_000), '100 of 100 memories (100 %), 10 a second'],
  [7, undefined, run(7, 1_000), '7 memories, 7.0 a second'],
])('%d of %d, %o: %s', (done, all, inRun, line) => {
  expect(progressLine(done, all, inRun, 'memories')).toBe(line)
})

function shown(isTTY: boolean): string {
  let nowMs = 0
  let text = ''
  const progress = new Progress(
    { isTTY, write: (written) => (text += written) },
    'memories',
    () => nowMs,
  )
  for (let done = 0; done <= 10; done += 1) {
    progress.show(done, 10)
    nowMs += 1_000
  }
  progress.end()
  return text
}

test('in a log it is a line every few seconds and one at the end', () => {
  expect(shown(false).match(/^\d+/gm)).toEqual(['0', '5', '10'])
})

test('why it does not go on is said on a line of its own, and once until it does', () => {
  let text = ''
  const progress = new Progress({ isTTY: true, write: (written) => (text += written) })
  const wait = () => progress.heldUp('Waiting for the model.')
  for (const done of [1, 2]) {
    progress.show(done, 3)
    wait()
    wait()
  }
  progress.end()
  expect(text.match(/Waiting for the model\./g)).toHaveLength(2)
  expect(text).toMatch(
    /^\r.*1 of 3 memories.*\nWaiting for the model\.\n\r.*2 of 3.*\nWaiting.*\n$/,
  )
})

test('on a terminal it is one line, written over', () => {
  const text = shown(true)
  expect(text.split('\r\u001b[K')).toHaveLength(12)
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(text.endsWith('\n')).toBe(true)
})
