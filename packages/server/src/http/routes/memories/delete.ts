import { deleteRoute } from '../../operation.ts'

export const deleteMemory = deleteRoute('memories.delete', ({ memories }, space, id, receipt) =>
  memories.delete(space, id, receipt),
)
