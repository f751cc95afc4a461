import { expect, onTestFinished, test, vi } from 'vitest'
import { CodeMemory } from './code-memory.ts'

test('what a search computes with has places of its own, also after there was no room for one', () => {
  const memory = new CodeMemory()
  memory.zeroPoints(32_768)
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('said the test')
  })
  onTestFinished(() => grow.mockRestore())
  expect(() => memory.zeroPoints(3_000_000)).toThrow('said the test')
  grow.mockRestore()
  const bits = memory.setBits(new Uint8Array(70_000))
  expect(memory.zeroPoints(32_768)).not.toBe(bits)
})
