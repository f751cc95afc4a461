import { entities } from '../../../core/entities.ts'
import { deleteRoute } from '../../operation.ts'

export const deleteEntity = deleteRoute('entities.delete', (_service, space, id, receipt) =>
  entities.delete(space, id, receipt),
)
