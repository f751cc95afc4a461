// The memories of a key's space, as its owner sees them: no quota and no rate limit of the key.
import { PlaygroundSearch } from '../../../console/contract/memories.ts'
import { searchPlayground } from '../../../console/playground.ts'
import { ForgetUser } from '../../../contract/forget.ts'
import { MemoryListQuery, NewMemory } from '../../../contract/memories.ts'
import { createdMemory } from '../../../core/memories.ts'
import { body, pathId, queryString } from '../../validation/read-input.ts'
import { forKey } from '../route.ts'
import { createInConsole } from './creation.ts'

const readMemoryListQuery = queryString(MemoryListQuery)
const readNewMemory = body(NewMemory)
const readForgetUser = body(ForgetUser)
const readPlaygroundSearch = body(PlaygroundSearch)

export const memoryRoutes = [
  forKey({
    method: 'GET',
    path: '/memories',
    input: readMemoryListQuery,
    run: ({ service, space }, query) => service.memories.list(space, query),
  }),
  forKey({
    method: 'POST',
    path: '/memories',
    status: 201,
    input: readNewMemory,
    async run(call, input) {
      const identity = await createInConsole(call, {
        operation: 'memories.create',
        prefix: 'mem',
        input,
        create: (space, stamp) => call.service.memories.create(space, input, stamp),
      })
      return createdMemory(input, identity)
    },
  }),
  forKey({
    method: 'POST',
    path: '/memories/search',
    isRead: true,
    input: readPlaygroundSearch,
    run: ({ service, space }, search) => searchPlayground(service.memories, space, search),
  }),
  forKey({
    method: 'POST',
    path: '/memories/forget',
    input: readForgetUser,
    run: ({ service, space }, { userId }) => service.forgetting.forget(space, userId),
  }),
  forKey({
    method: 'GET',
    path: '/memories/:id',
    run: ({ service, space, request }) => service.memories.get(space, pathId(request)),
  }),
  forKey({
    method: 'POST',
    path: '/memories/:id/delete',
    run: ({ service, space, request }) => service.memories.delete(space, pathId(request), {}),
  }),
]
