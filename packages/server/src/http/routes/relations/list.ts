import { RelationListQuery } from '../../../contract/relation.ts'
import { relations } from '../../../core/relations.ts'
import { readRoute } from '../../operation.ts'
import { queryString } from '../../validation.ts'

const query = queryString(RelationListQuery)

export const listRelations = readRoute('relations.list', {
  input: query,
  run: (_service, space, filters) => relations.list(space, filters),
})
