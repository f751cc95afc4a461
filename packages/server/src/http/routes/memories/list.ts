import { MemoryListQuery } from '../../../contract/memories.ts'
import { readRoute } from '../../operation.ts'
import { queryString } from '../../validation/read-input.ts'

const readQuery = queryString(MemoryListQuery)

export const listMemories = readRoute('memories.list', {
  input: readQuery,
  run: ({ memories }, space, query) => memories.list(space, query),
})
