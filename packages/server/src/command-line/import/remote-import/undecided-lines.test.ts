// What is known of lines that were sent and not answered, and how many may be read ahead of their answers.
import { expect, test } from 'vitest'
import { UndecidedLines } from './undecided-lines.ts'

/** The next lines go out with a request of their own. */
function write(lines: UndecidedLines, count: number): void {
  lines.beginRequest()
  for (let written = 0; written < count; written += 1) {
    const next = lines.nextToWrite
    if (next !== undefined) lines.noteWritten(next)
  }
}

test('lines of a request that broke may be stored, however few the next one brought before it broke', () => {
  const lines = new UndecidedLines([])
  for (const number of [1, 2, 3, 4]) lines.add(number, Buffer.from('{}'))
  write(lines, 3)
  lines.endRequest({ isCutOff: true })
  write(lines, 1)
  lines.endRequest({ isCutOff: true })
  expect(lines.unanswered).toEqual({ from: 1, to: 3 })
})

test('a line that is left out makes room for others, as every decided one does', () => {
  const lines = new UndecidedLines([])
  lines.add(1, Buffer.alloc(8 * 1024 * 1024))
  write(lines, 1)
  expect(lines.isFull).toBe(true)
  const line = lines.takeAnswered()
  if (line === undefined) throw new Error('No line was written.')
  lines.putBack(line)
  expect(lines.isFull).toBe(true)
  lines.leaveOut(line)
  expect(lines.isFull).toBe(false)
})
