import { EntityListQuery, NewEntity } from '../../contract/entities.ts'
import { createdEntity, entities } from '../../core/entities.ts'
import { createRoute, deleteRoute, type Route, readRoute } from '../operation.ts'
import { body, pathId, queryString } from '../validation/read-input.ts'

const readListQuery = queryString(EntityListQuery)

export const entityRoutes: Route[] = [
  createRoute('entities.create', {
    prefix: 'ent',
    input: body(NewEntity),
    create: (_service, space, input, stamp) => entities.create(space, input, stamp),
    answer: createdEntity,
  }),
  readRoute('entities.list', {
    input: readListQuery,
    run: (_service, space, query) => entities.list(space, query),
  }),
  readRoute('entities.get', {
    input: pathId,
    run: (_service, space, id) => entities.get(space, id),
  }),
  deleteRoute('entities.delete', (_service, space, id, receipt) =>
    entities.delete(space, id, receipt),
  ),
]
