import { entities } from '../../../core/entities.ts'
import { readRoute } from '../../operation.ts'
import { pathId } from '../../validation/read-input.ts'

export const getEntity = readRoute('entities.get', {
  input: pathId,
  run: (_service, space, id) => entities.get(space, id),
})
