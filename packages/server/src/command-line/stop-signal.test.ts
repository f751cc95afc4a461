// How a process takes the signals that ask it to stop. They are made up here, and so is the time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onStopSignal, REPEAT_MS } from './stop-signal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
let before: number[]
const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal))

beforeEach(() => {
  before = listeners()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  for (const signal of SIGNALS) process.removeAllListeners(signal)
})

test('a signal is told, and its repeats within a moment are the same one', () => {
  const stop = onStopSignal()
  const caught = listeners()
  expect(stop.aborted).toBe(false)
  const heard = vi.fn()
  stop.addEventListener('abort', heard)
  process.emit('SIGTERM')
  expect(stop.aborted).toBe(true)
  vi.advanceTimersByTime(REPEAT_MS - 1)
  process.emit('SIGTERM')
  process.emit('SIGINT')
  expect(listeners()).toEqual(caught)
  expect(heard).toHaveBeenCalledOnce()
})

test('later repeats end the process, as they end one that does not catch them', () => {
  onStopSignal()
  process.emit('SIGINT')
  vi.runAllTimers()
  expect(listeners()).toEqual(before)
})

test('a repeat that a busy process hears late still counts as the same one', () => {
  onStopSignal()
  const caught = listeners()
  process.emit('SIGTERM')
  // Timers are looked at before what the system has sent meanwhile.
  vi.advanceTimersToNextTimer()
  process.emit('SIGTERM')
  expect(listeners()).toEqual(caught)
  vi.runAllTimers()
  expect(listeners()).toEqual(before)
})
