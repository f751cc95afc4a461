// Writes an ONNX model of one operator or two: it looks up a row of a table for every token, and
// gives these rows or their mean. The field numbers are those of onnx.proto.

export type TinyGraph = {
  /** Names of the inputs; the first is what rows are looked up by. */
  inputs?: string[]
  /** `tokens` gives a vector for each token, `pooled` one for the text. */
  output?: 'tokens' | 'pooled'
}

// Protocol buffers: a field is its number and kind, then a number or a length with so many bytes.

function varint(value: number): Buffer {
  return value < 128
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value % 128) + 128), varint(Math.floor(value / 128))])
}

const number = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)])

function bytes(field: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}

/** Kinds of elements and of attributes, and the versions that their numbers belong to. */
const FLOAT = 1
const INT64 = 7
const INTEGER = 2
const INTEGERS = 7
const IR_VERSION = 8
const OPSET = 13

function described(name: string, elementType: number, dims: (string | number)[]): Buffer[] {
  const shape = dims.map((dim) =>
    bytes(1, typeof dim === 'string' ? bytes(2, dim) : number(1, dim)),
  )
  return [bytes(1, name), bytes(2, bytes(1, number(1, elementType), bytes(2, ...shape)))]
}

export function tinyOnnx(
  rows: readonly (readonly number[])[],
  { inputs = ['input_ids'], output = 'tokens' }: TinyGraph = {},
): Buffer {
  const dimension = rows[0]?.length ?? 0
  const table = [
    ...[rows.length, dimension].map((dim) => number(1, dim)),
    number(2, FLOAT),
    bytes(8, 'table'),
    bytes(9, Buffer.from(Float32Array.from(rows.flat()).buffer)),
  ]
  const gather = [
    ...['table', inputs[0] ?? ''].map((name) => bytes(1, name)),
    bytes(2, 'last_hidden_state'),
    bytes(4, 'Gather'),
  ]
  const mean = [
    bytes(1, 'last_hidden_state'),
    bytes(2, 'sentence_embedding'),
    bytes(4, 'ReduceMean'),
    bytes(5, bytes(1, 'axes'), number(8, 1), number(20, INTEGERS)),
    bytes(5, bytes(1, 'keepdims'), number(3, 0), number(20, INTEGER)),
  ]
  const graph = [
    bytes(1, ...gather),
    ...(output === 'pooled' ? [bytes(1, ...mean)] : []),
    bytes(2, 'tiny'),
    bytes(5, ...table),
    ...inputs.map((name) => bytes(11, ...described(name, INT64, ['batch', 'tokens']))),
    output === 'pooled'
      ? bytes(12, ...described('sentence_embedding', FLOAT, ['batch', dimension]))
      : bytes(12, ...described('last_hidden_state', FLOAT, ['batch', 'tokens', dimension])),
  ]
  return Buffer.concat([
    number(1, IR_VERSION),
    bytes(7, ...graph),
    bytes(8, bytes(1, ''), number(2, OPSET)),
  ])
}
