// The entities of a key's space, as its owner sees them.
import { EntityListQuery, NewEntity } from '../../../contract/entities.ts'
import { createdEntity, entities } from '../../../core/entities.ts'
import { body, pathId, queryString } from '../../validation/read-input.ts'
import { forKey } from '../route.ts'
import { createInConsole } from './creation.ts'

const readEntityListQuery = queryString(EntityListQuery)
const readNewEntity = body(NewEntity)

export const entityRoutes = [
  forKey({
    method: 'GET',
    path: '/entities',
    input: readEntityListQuery,
    run: ({ space }, query) => entities.list(space, query),
  }),
  forKey({
    method: 'POST',
    path: '/entities',
    status: 201,
    input: readNewEntity,
    async run(call, input) {
      const identity = await createInConsole(call, {
        operation: 'entities.create',
        prefix: 'ent',
        input,
        create: (space, stamp) => entities.create(space, input, stamp),
      })
      return createdEntity(input, identity)
    },
  }),
  forKey({
    method: 'GET',
    path: '/entities/:id',
    run: ({ space, request }) => entities.get(space, pathId(request)),
  }),
  forKey({
    method: 'POST',
    path: '/entities/:id/delete',
    run: ({ space, request }) => entities.delete(space, pathId(request), {}),
  }),
]
