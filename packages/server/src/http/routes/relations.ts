import { NewRelation, RelationListQuery } from '../../contract/relations.ts'
import { createdRelation, relations } from '../../core/relations.ts'
import { createRoute, deleteRoute, type Route, readRoute } from '../operation.ts'
import { body, pathId, queryString } from '../validation/read-input.ts'

const readListQuery = queryString(RelationListQuery)

export const relationRoutes: Route[] = [
  createRoute('relations.create', {
    prefix: 'rel',
    input: body(NewRelation),
    create: (_service, space, input, stamp) => relations.create(space, input, stamp),
    answer: createdRelation,
  }),
  readRoute('relations.list', {
    input: readListQuery,
    run: (_service, space, query) => relations.list(space, query),
  }),
  readRoute('relations.get', {
    input: pathId,
    run: (_service, space, id) => relations.get(space, id),
  }),
  deleteRoute('relations.delete', (_service, space, id, receipt) =>
    relations.delete(space, id, receipt),
  ),
]
