// Questions over the graph of a key's space.
import {
  MentionsQuery,
  NamedQuery,
  NeighbourhoodQuery,
  PathQuery,
  WholeGraphQuery,
} from '../../../console/contract/graph.ts'
import { mentions, named, neighbourhood, pathBetween, wholeGraph } from '../../../console/graph.ts'
import { pathId, queryString } from '../../validation/read-input.ts'
import { forKey } from '../route.ts'

const readWholeGraphQuery = queryString(WholeGraphQuery)
const readNamedQuery = queryString(NamedQuery)
const readPathQuery = queryString(PathQuery)
const readNeighbourhoodQuery = queryString(NeighbourhoodQuery)
const readMentionsQuery = queryString(MentionsQuery)

export const graphRoutes = [
  forKey({
    method: 'GET',
    path: '/graph',
    input: readWholeGraphQuery,
    run: ({ space }, query) => wholeGraph(space, query),
  }),
  forKey({
    method: 'GET',
    path: '/named',
    input: readNamedQuery,
    run: ({ space }, query) => named(space, query),
  }),
  forKey({
    method: 'GET',
    path: '/path',
    input: readPathQuery,
    run: ({ space }, query) => pathBetween(space, query),
  }),
  forKey({
    method: 'GET',
    path: '/entities/:id/neighbourhood',
    input: readNeighbourhoodQuery,
    run: ({ space, request }, query) => neighbourhood(space, pathId(request), query),
  }),
  forKey({
    method: 'GET',
    path: '/entities/:id/memories',
    input: readMentionsQuery,
    run: ({ space, request }, query) => mentions(space, pathId(request), query),
  }),
]
