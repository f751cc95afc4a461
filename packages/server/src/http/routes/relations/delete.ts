import { relations } from '../../../core/relations.ts'
import { deleteRoute } from '../../operation.ts'
import { pathId } from '../../validation/validation.ts'

export const deleteRelation = deleteRoute('relations.delete', {
  input: pathId,
  run: (_service, space, id, receipt) => relations.delete(space, id, receipt),
})
