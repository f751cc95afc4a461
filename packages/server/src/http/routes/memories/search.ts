import { MemorySearch } from '../../../contract/memories.ts'
import { readRoute } from '../../operation.ts'
import { body } from '../../validation/read-input.ts'

const readSearch = body(MemorySearch)

export const searchMemories = readRoute('memories.search', {
  input: readSearch,
  run: ({ memories }, space, search) => memories.search(space, search),
})
