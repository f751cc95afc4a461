import { relations } from '../../../core/relations.ts'
import { deleteRoute } from '../../operation.ts'

export const deleteRelation = deleteRoute('relations.delete', (_service, space, id, receipt) =>
  relations.delete(space, id, receipt),
)
