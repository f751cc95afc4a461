// The relations of a key's space, as its owner sees them.
import { NewRelation, RelationListQuery } from '../../../contract/relations.ts'
import { createdRelation, relations } from '../../../core/relations.ts'
import { body, pathId, queryString } from '../../validation/read-input.ts'
import { forKey } from '../route.ts'
import { createInConsole } from './creation.ts'

const readRelationListQuery = queryString(RelationListQuery)
const readNewRelation = body(NewRelation)

export const relationRoutes = [
  forKey({
    method: 'GET',
    path: '/relations',
    input: readRelationListQuery,
    run: ({ space }, query) => relations.list(space, query),
  }),
  forKey({
    method: 'POST',
    path: '/relations',
    status: 201,
    input: readNewRelation,
    async run(call, input) {
      const identity = await createInConsole(call, {
        operation: 'relations.create',
        prefix: 'rel',
        input,
        create: (space, stamp) => relations.create(space, input, stamp),
      })
      return createdRelation(input, identity)
    },
  }),
  forKey({
    method: 'GET',
    path: '/relations/:id',
    run: ({ space, request }) => relations.get(space, pathId(request)),
  }),
  forKey({
    method: 'POST',
    path: '/relations/:id/delete',
    run: ({ space, request }) => relations.delete(space, pathId(request), {}),
  }),
]
