import { NewEntity } from '../../../contract/entities.ts'
import { createdEntity, entities } from '../../../core/entities.ts'
import { createRoute } from '../../operation.ts'
import { body } from '../../validation/read-input.ts'

export const createEntity = createRoute('entities.create', {
  prefix: 'ent',
  input: body(NewEntity),
  create: (_service, space, input, stamp) => entities.create(space, input, stamp),
  answer: createdEntity,
})
