import { MemoryListQuery, MemorySearch, NewMemory } from '../../contract/memories.ts'
import { createdMemory } from '../../core/memories.ts'
import { createRoute, deleteRoute, type Route, readRoute } from '../operation.ts'
import { body, pathId, queryString } from '../validation/read-input.ts'

const readSearch = body(MemorySearch)
const readListQuery = queryString(MemoryListQuery)

export const memoryRoutes: Route[] = [
  createRoute('memories.create', {
    prefix: 'mem',
    input: body(NewMemory),
    create: ({ memories }, space, input, stamp) => memories.create(space, input, stamp),
    answer: createdMemory,
  }),
  readRoute('memories.search', {
    input: readSearch,
    run: ({ memories }, space, search) => memories.search(space, search),
  }),
  readRoute('memories.list', {
    input: readListQuery,
    run: ({ memories }, space, query) => memories.list(space, query),
  }),
  readRoute('memories.get', {
    input: pathId,
    run: ({ memories }, space, id) => memories.get(space, id),
  }),
  deleteRoute('memories.delete', ({ memories }, space, id, receipt) =>
    memories.delete(space, id, receipt),
  ),
]
