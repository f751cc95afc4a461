import { EntityListQuery } from '../../../contract/entity.ts'
import { entities } from '../../../core/entities.ts'
import { readRoute } from '../../operation.ts'
import { queryString } from '../../validation.ts'

const query = queryString(EntityListQuery)

export const listEntities = readRoute('entities.list', {
  input: query,
  run: (_service, space, filters) => entities.list(space, filters),
})
