// What the terms of memories are worth to a query, and what room they take.
import { expect, test } from 'vitest'
import { CodeMemory } from '../scan/code-memory.ts'
import { TermIndex } from './term-index.ts'

test('very many memories of the same text take a bit each, and not an entry that others have to pass', () => {
  const index = new TermIndex()
  const memories = 20_000
  for (let memory = 0; memory < memories; memory += 1) index.add(memory, ['=AAAAAAAAAAAAAAAA'])
  expect(index.sameAs('=AAAAAAAAAAAAAAAA')).toHaveLength(memories)
  expect(index.bytes).toBeLessThan(memories)
})

test('a memory gets the worth of a term once, whichever and however many of its forms it has', () => {
  const index = new TermIndex()
  const memory = new CodeMemory()
  for (let number = 0; number < 2_000; number += 1) {
    const forms = number % 2 === 0 ? ['48213', 'ord48213'] : number % 7 === 0 ? ['ord48213'] : []
    index.add(number, [...forms, ...(number === 9 ? ['tea'] : [])])
  }
  const points = memory.zeroPoints(2_048)
  const terms = [
    { forms: ['48213', 'ord48213', 'nowhere'], worth: 300 },
    { forms: ['tea'], worth: 7 },
    { forms: ['nowhere'], worth: 1_000 },
  ]
  index.addPoints(memory, { points, rows: 2_048 }, terms)
  const all = new Int16Array(memory.buffer, points, 2_048)
  for (let number = 0; number < 2_000; number += 1) {
    const expected = number % 2 === 0 || number % 7 === 0 ? 300 : 0
    expect(all[number]).toBe(expected + (number === 9 ? 7 : 0))
  }
})

test('points are added within their room, however much longer the bits of a term are', () => {
  const memory = new CodeMemory()
  const index = new TermIndex()
  const roomBytes = 65_536
  const rows = roomBytes / Int16Array.BYTES_PER_ELEMENT
  for (let number = 0; number < rows; number += 1) index.add(number, ['tea'])
  // The room for points is made the last one in the memory: whoever goes beyond it leaves the memory.
  memory.setBits(new Uint8Array(roomBytes))
  const end = memory.take(16) + 16
  memory.take(memory.buffer.byteLength - end - roomBytes)
  memory.zeroPoints(1)
  const points = memory.zeroPoints(rows)
  expect(points + roomBytes).toBe(memory.buffer.byteLength)
  index.addPoints(memory, { points, rows }, [{ forms: ['tea'], worth: 5 }])
  expect(new Set(new Int16Array(memory.buffer, points, rows))).toEqual(new Set([5]))
})
