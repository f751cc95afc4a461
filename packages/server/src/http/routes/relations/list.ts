import { RelationListQuery } from '../../../contract/relations.ts'
import { relations } from '../../../core/relations.ts'
import { readRoute } from '../../operation.ts'
import { queryString } from '../../validation/read-input.ts'

const readQuery = queryString(RelationListQuery)

export const listRelations = readRoute('relations.list', {
  input: readQuery,
  run: (_service, space, query) => relations.list(space, query),
})
