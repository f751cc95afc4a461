// The table that feeds routing, rate classes and quota, held against the contract's own lists.
import { expect, test } from 'vitest'
import { OPERATION_IDS, OPERATIONS, rateClassOfMethod } from './operations.ts'

const all = OPERATION_IDS.map((id) => ({ id, ...OPERATIONS[id] }))

test('there are the thirteen operations of the contract', () => {
  expect(all.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'DELETE /v1/entities/:id',
    'DELETE /v1/memories/:id',
    'DELETE /v1/relations/:id',
    'GET /v1/entities',
    'GET /v1/entities/:id',
    'GET /v1/memories',
    'GET /v1/memories/:id',
    'GET /v1/relations',
    'GET /v1/relations/:id',
    'POST /v1/entities',
    'POST /v1/memories',
    'POST /v1/memories/search',
    'POST /v1/relations',
  ])
})

test('only listing entities and listing relations is free', () => {
  const free = all.filter(({ counted }) => !counted).map(({ id }) => id)
  expect(free).toEqual(['entities.list', 'relations.list'])
})

test('creates and deletes are writes, the search is a search, the rest are reads', () => {
  for (const { id, method, rateClass } of all) {
    const expected = id === 'memories.search' ? 'search' : method === 'GET' ? 'read' : 'write'
    expect(rateClass, id).toBe(expected)
  }
})

test('a create answers 201 and everything else 200', () => {
  for (const { id, successStatus } of all) {
    expect(successStatus, id).toBe(id.endsWith('.create') ? 201 : 200)
  }
})

test('what no operation answers is classed by its method', () => {
  for (const method of ['GET', 'HEAD']) expect(rateClassOfMethod(method)).toBe('read')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    expect(rateClassOfMethod(method)).toBe('write')
  }
})
