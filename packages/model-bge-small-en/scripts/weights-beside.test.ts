// A model whose weights were moved out gives the same numbers to the bit. The runtime itself runs it here:
// the format of the file is its own affair.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { afterAll, describe, expect, test } from 'vitest'
import { tinyOnnx } from '../../server/src/embedding/local/testing/tiny-onnx.ts'
import { weightsBeside } from './weights-beside.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemograph-weights-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A table of 40 × 16 numbers takes 2,560 bytes, enough to be moved. */
const ROWS = Array.from({ length: 40 }, (_, row) =>
  Array.from({ length: 16 }, (_, column) => Math.sin(row * 16 + column)),
)

describe('a model whose weights lie beside it', () => {
  test('gives the same numbers to the bit', async () => {
    const { model, weights } = weightsBeside(tinyOnnx(ROWS), 'tiny.onnx_data')
    writeFileSync(join(folder, 'tiny.onnx'), model)
    writeFileSync(join(folder, 'tiny.onnx_data'), weights)
    const session = await InferenceSession.create(join(folder, 'tiny.onnx'))
    const ids = new Tensor('int64', BigInt64Array.of(39n, 0n, 7n), [1, 3])
    const { last_hidden_state: output } = await session.run({ input_ids: ids })
    expect(output?.data).toEqual(Float32Array.from([39, 0, 7].flatMap((row) => ROWS[row] ?? [])))
    await session.release()
  })

  test('holds none of them itself', () => {
    const onnx = tinyOnnx(ROWS)
    const { model, weights } = weightsBeside(onnx, 'tiny.onnx_data')
    expect(weights).toHaveLength(40 * 16 * 4)
    expect(model.length).toBeLessThan(onnx.length - weights.length + 100)
  })

  test('keeps what is small', () => {
    const onnx = tinyOnnx(ROWS.slice(0, 2))
    const { model, weights } = weightsBeside(onnx, 'tiny.onnx_data')
    expect(model).toEqual(onnx)
    expect(weights).toHaveLength(0)
  })

  test.each([1, 30, 2_000])('is refused when the file is cut %i bytes short', (missing) => {
    const cut = tinyOnnx(ROWS).subarray(0, -missing)
    expect(() => weightsBeside(cut, 'tiny.onnx_data')).toThrow('ends in the middle')
  })
})
