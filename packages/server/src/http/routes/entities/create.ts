import { NewEntity } from '../../../contract/entities.ts'
import { createdEntity, entities } from '../../../core/entities.ts'
import { createRoute } from '../../operation.ts'
import { body } from '../../validation/validation.ts'

export const createEntity = createRoute('entities.create', {
  prefix: 'ent',
  input: body(NewEntity),
  create: (_service, space, input, { identity, receipt }) =>
    entities.create(space, input, identity, receipt),
  answer: createdEntity,
})
