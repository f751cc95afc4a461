// Moves the weights of an ONNX model into a file of their own, without changing a bit of them. The
// runtime maps such a file instead of reading it, and lets go of what it has packed for its own use;
// of a model in one piece it keeps a second copy in every session.
// The field numbers are those of onnx.proto.

/** Smaller tensors (shapes, scales) stay in the model. */
const BYTES_MIN = 1024
/** Mapped memory begins at a page. */
const PAGE_BYTES = 4096

const MODEL = { graph: 7 }
const GRAPH = { initializer: 5 }
const TENSOR = { rawData: 9, externalData: 13, dataLocation: 14 }
const EXTERNAL = 1

const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

type Field = { number: number; content: Buffer; whole: Buffer }

type Separated = { model: Buffer; weights: Buffer }

/** `weightsName` is the name that the file with the weights will have, beside the model's. */
export function weightsBeside(onnx: Buffer, weightsName: string): Separated {
  const chunks: Buffer[] = []
  let size = 0

  function moved(content: Buffer): { offset: number; length: number } {
    const padding = (PAGE_BYTES - (size % PAGE_BYTES)) % PAGE_BYTES
    const offset = size + padding
    chunks.push(Buffer.alloc(padding), content)
    size = offset + content.length
    return { offset, length: content.length }
  }

  function withoutData(tensor: Buffer): Buffer {
    const parts = fieldsOf(tensor).map((field) => {
      if (field.number !== TENSOR.rawData || field.content.length < BYTES_MIN) return field.whole
      const { offset, length } = moved(field.content)
      const entries = { location: weightsName, offset: `${offset}`, length: `${length}` }
      return Buffer.concat([
        ...Object.entries(entries).map(([key, value]) =>
          delimited(
            TENSOR.externalData,
            delimited(1, Buffer.from(key)),
            delimited(2, Buffer.from(value)),
          ),
        ),
        Buffer.concat([varint(TENSOR.dataLocation * 8 + VARINT), varint(EXTERNAL)]),
      ])
    })
    return Buffer.concat(parts)
  }

  const model = rewritten(onnx, MODEL.graph, (graph) =>
    rewritten(graph, GRAPH.initializer, withoutData),
  )
  return { model, weights: Buffer.concat(chunks) }
}

function rewritten(message: Buffer, number: number, change: (content: Buffer) => Buffer): Buffer {
  const fields = fieldsOf(message)
  return Buffer.concat(
    fields.map((field) =>
      field.number === number ? delimited(number, change(field.content)) : field.whole,
    ),
  )
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let end = 0
  while (end < message.length) {
    const start = end
    const tag = varintAt(message, start)
    const [content, next] = contentAt(message, tag.end, tag.value % 8)
    if (next > message.length) throw new Error('The ONNX file ends in the middle of a field.')
    end = next
    fields.push({
      number: Math.floor(tag.value / 8),
      content: message.subarray(content, end),
      whole: message.subarray(start, end),
    })
  }
  return fields
}

/** Where the content of a field begins and where it ends. */
function contentAt(message: Buffer, start: number, kind: number): [number, number] {
  if (kind === VARINT) return [start, varintAt(message, start).end]
  if (kind === FIXED_64) return [start, start + 8]
  if (kind === FIXED_32) return [start, start + 4]
  if (kind !== LENGTH_DELIMITED) throw new Error(`An ONNX file has no field of kind ${kind}.`)
  const length = varintAt(message, start)
  return [length.end, length.end + length.value]
}

/** Sizes and tags lie far below 2^53; only other numbers are larger, and those are not looked at. */
function varintAt(message: Buffer, start: number): { value: number; end: number } {
  let value = 0
  for (let index = start; ; index += 1) {
    const byte = message[index]
    if (byte === undefined) throw new Error('The ONNX file ends in the middle of a number.')
    value += (byte % 128) * 128 ** (index - start)
    if (byte < 128) return { value, end: index + 1 }
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

function delimited(number: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([varint(number * 8 + LENGTH_DELIMITED), varint(content.length), content])
}
