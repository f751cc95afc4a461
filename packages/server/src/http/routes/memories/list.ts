import { MemoryListQuery } from '../../../contract/memory.ts'
import { readRoute } from '../../operation.ts'
import { queryString } from '../../validation.ts'

const query = queryString(MemoryListQuery)

export const listMemories = readRoute('memories.list', {
  input: query,
  run: ({ memories }, space, filters) => memories.list(space, filters),
})
