import { entities } from '../../../core/entities.ts'
import { deleteRoute } from '../../operation.ts'
import { pathId } from '../../validation/validation.ts'

export const deleteEntity = deleteRoute('entities.delete', {
  input: pathId,
  run: (_service, space, id, receipt) => entities.delete(space, id, receipt),
})
