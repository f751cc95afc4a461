import { EntityListQuery } from '../../../contract/entities.ts'
import { entities } from '../../../core/entities.ts'
import { readRoute } from '../../operation.ts'
import { queryString } from '../../validation/read-input.ts'

const readQuery = queryString(EntityListQuery)

export const listEntities = readRoute('entities.list', {
  input: readQuery,
  run: (_service, space, query) => entities.list(space, query),
})
