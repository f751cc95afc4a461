import { NewMemory } from '../../../contract/memories.ts'
import { createdMemory } from '../../../core/memories.ts'
import { createRoute } from '../../operation.ts'
import { body } from '../../validation/read-input.ts'

export const createMemory = createRoute('memories.create', {
  prefix: 'mem',
  input: body(NewMemory),
  create: ({ memories }, space, input, stamp) => memories.create(space, input, stamp),
  answer: createdMemory,
})
