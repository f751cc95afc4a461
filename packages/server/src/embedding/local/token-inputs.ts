// What a model asks for, by the names that transformer exports use. A model that wants anything
// else (past keys, images) is refused before the first text.
import { type InferenceSession, Tensor } from 'onnxruntime-node'

const VALUES: Readonly<Record<string, (ids: readonly number[]) => BigInt64Array>> = {
  input_ids: (ids) => BigInt64Array.from(ids, BigInt),
  attention_mask: (ids) => new BigInt64Array(ids.length).fill(1n),
  token_type_ids: (ids) => new BigInt64Array(ids.length),
  position_ids: (ids) => BigInt64Array.from(ids, (_, position) => BigInt(position)),
}

/** Throws when the model asks for something that is not known. */
export function expectTokenInputs({ inputMetadata }: InferenceSession): void {
  for (const input of inputMetadata) {
    if (!Object.hasOwn(VALUES, input.name)) {
      throw new Error(
        `The model wants the input "${input.name}"; known are: ${Object.keys(VALUES).join(', ')}.`,
      )
    }
    if (!input.isTensor || input.type !== 'int64') {
      throw new Error(`The model wants its input "${input.name}" in another form than int64.`)
    }
  }
}

export const tokenInputs = (
  { inputNames }: InferenceSession,
  ids: readonly number[],
): Record<string, Tensor> =>
  Object.fromEntries(
    inputNames.flatMap((name) => {
      const values = VALUES[name]?.(ids)
      return values === undefined ? [] : [[name, new Tensor('int64', values, [1, ids.length])]]
    }),
  )
