// Reads one line of an import: what a create takes, by the same schema, and beside it the key that
// makes the line repeatable, as the header does for a request.
import { ApiError } from '../../contract/errors.ts'
import { NewMemory } from '../../contract/memories.ts'
import { readJson } from '../body/json.ts'
import { readIdempotencyKey } from '../idempotency-key.ts'
import { body } from '../validation/read-input.ts'

export type MemoryLine = {
  memory: NewMemory
  idempotencyKey: string | undefined
}

const KEY_FIELD = 'idempotencyKey'

const readMemory = body(NewMemory, 'The line')

/** `bytes` are undefined for a line that was too long. Throws what the same create would answer. */
export function readMemoryLine(bytes: Buffer | undefined): MemoryLine {
  if (bytes === undefined) {
    throw new ApiError('PAYLOAD_TOO_LARGE', { message: 'The line must have at most 1 MiB.' })
  }
  const source = readJson(bytes, 'The line')
  const memory = readMemory({ body: source })
  const given: unknown = Object(source)[KEY_FIELD] ?? undefined
  return { memory, idempotencyKey: readIdempotencyKey(given, KEY_FIELD) }
}
