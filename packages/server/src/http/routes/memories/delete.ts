import { deleteRoute } from '../../operation.ts'
import { pathId } from '../../validation/validation.ts'

export const deleteMemory = deleteRoute('memories.delete', {
  input: pathId,
  run: ({ memories }, space, id, receipt) => memories.delete(space, id, receipt),
})
