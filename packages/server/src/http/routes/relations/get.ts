import { relations } from '../../../core/relations.ts'
import { readRoute } from '../../operation.ts'
import { pathId } from '../../validation/read-input.ts'

export const getRelation = readRoute('relations.get', {
  input: pathId,
  run: (_service, space, id) => relations.get(space, id),
})
