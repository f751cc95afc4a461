import { readRoute } from '../../operation.ts'
import { pathId } from '../../validation/read-input.ts'

export const getMemory = readRoute('memories.get', {
  input: pathId,
  run: ({ memories }, space, id) => memories.get(space, id),
})
