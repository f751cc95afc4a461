// Who has waited longest for room is let in first, however large, and who gives up holds up nobody.
import { expect, test } from 'vitest'
import { Room } from './room.ts'

const patient = new AbortController().signal
const TEXT = 'x'.repeat(100)

test('once the room is full, work waits in the order of its arrival', async () => {
  const room = new Room(250)
  const order: string[] = []
  const enter = async (name: string) => {
    const leave = await room.take(TEXT, patient)
    order.push(name)
    return leave
  }
  const [first] = [enter('a'), enter('b'), enter('c'), enter('d')]
  await new Promise(setImmediate)
  expect(order).toEqual(['a', 'b'])
  const leave = await first
  leave?.()
  await new Promise(setImmediate)
  expect(order).toEqual(['a', 'b', 'c'])
})

test('a text larger than the room is let in alone', async () => {
  const room = new Room(250)
  const leave = await room.take('x'.repeat(1_000), patient)
  let isIn = false
  const other = room.take(TEXT, patient).then((way) => {
    isIn = true
    return way
  })
  await new Promise(setImmediate)
  expect(isIn).toBe(false)
  leave?.()
  expect(await other).toBeDefined()
})

test('whoever gives up waiting takes no room and holds up nobody', async () => {
  const room = new Room(250)
  await room.take(TEXT, patient)
  const impatience = new AbortController()
  const large = room.take('x'.repeat(240), impatience.signal)
  const small = room.take(TEXT, patient)
  impatience.abort()
  expect(await large).toBeUndefined()
  expect(await small).toBeDefined()
  expect(await room.take(TEXT, impatience.signal)).toBeUndefined()
})

test('nobody overtakes those who wait, however little room they need', async () => {
  const room = new Room(1_000)
  const leave = await room.take('x'.repeat(500), patient)
  const order: string[] = []
  const enter = async (name: string, characters: number) => {
    const way = await room.take('x'.repeat(characters), patient)
    order.push(name)
    return way
  }
  const large = enter('large', 900)
  const small = enter('small', 1)
  await new Promise(setImmediate)
  expect(order).toEqual([])
  leave?.()
  ;(await large)?.()
  await small
  expect(order).toEqual(['large', 'small'])
})

test('whoever stops after being let in takes nobody along who waits', async () => {
  const room = new Room(100)
  const leave = await room.take(TEXT, patient)
  const stopping = new AbortController()
  const second = room.take(TEXT, stopping.signal)
  const third = room.take(TEXT, patient)
  leave?.()
  const leaveSecond = await second
  stopping.abort()
  leaveSecond?.()
  expect(await third).toBeDefined()
})
