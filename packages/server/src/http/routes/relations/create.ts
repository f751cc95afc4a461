import { NewRelation } from '../../../contract/relations.ts'
import { createdRelation, relations } from '../../../core/relations.ts'
import { createRoute } from '../../operation.ts'
import { body } from '../../validation/read-input.ts'

export const createRelation = createRoute('relations.create', {
  prefix: 'rel',
  input: body(NewRelation),
  create: (_service, space, input, stamp) => relations.create(space, input, stamp),
  answer: createdRelation,
})
