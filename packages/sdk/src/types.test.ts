// The SDK has types of its own, so that it needs nothing of the server. The compiler holds them against the
// contract's, in both directions: a field that only one of them has, or has differently, is an error here.
import { expect, test } from 'vitest'
import type * as Contract from '../../server/src/contract/entities.ts'
import { ERROR_CODES, type ErrorCode } from '../../server/src/contract/errors.ts'
import type * as Memories from '../../server/src/contract/memories.ts'
import type * as Pages from '../../server/src/contract/page.ts'
import type * as Relations from '../../server/src/contract/relations.ts'
import type * as Sdk from './index.ts'

/** Without the difference between an intersection and the object that it comes to. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [Name in keyof T]: Plain<T[Name]> }
    : T
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false
/** The query of a list, but for the tags, which are a list here and one text there. */
type TagsApart<Query> = Omit<Query, 'tags'>

const same = <A, B>(...proof: Same<A, B> extends true ? [] : ['they differ']): void =>
  expect(proof).toEqual([])

test('what is sent has the fields of the contract', () => {
  same<Sdk.NewMemory, Memories.NewMemory>()
  same<Sdk.MemorySearch, Memories.MemorySearch>()
  same<TagsApart<Sdk.MemoryListQuery>, TagsApart<Memories.MemoryListQuery>>()
  same<keyof Sdk.MemoryListQuery, keyof Memories.MemoryListQuery>()
  same<Sdk.NewEntity, Contract.NewEntity>()
  same<Sdk.EntityListQuery, Contract.EntityListQuery>()
  same<Sdk.NewRelation, Relations.NewRelation>()
  same<Sdk.RelationListQuery, Relations.RelationListQuery>()
})

test('what comes back has the fields of the contract', () => {
  same<Sdk.Memory, Memories.Memory>()
  same<Sdk.MemoryListItem, Memories.MemoryListItem>()
  same<Sdk.SearchResults, Memories.SearchResults>()
  same<Sdk.SearchResult, Memories.SearchResult>()
  same<Sdk.Entity, Contract.Entity>()
  same<Sdk.EntityListItem, Contract.EntityListItem>()
  same<Sdk.EntityType, Contract.EntityType>()
  same<Sdk.Relation, Relations.Relation>()
  same<Sdk.CreatedRelation, Relations.CreatedRelation>()
  same<Sdk.RelationListItem, Relations.RelationListItem>()
  same<Sdk.RelationEnd, Relations.RelationEnd>()
  same<Sdk.Page<string>, Pages.List<string>>()
  same<Sdk.Pagination, Pages.Pagination>()
  same<Sdk.Deleted, Pages.Deleted>()
})

test('the codes of errors are those of the catalogue, and the one that the SDK adds is none of them', () => {
  same<Sdk.KnownErrorCode, ErrorCode>()
  expect(ERROR_CODES).not.toContain('UNEXPECTED_ANSWER')
})

test('the comparison sees an optional field that is missing, and another type', () => {
  // @ts-expect-error One of them has a field more.
  expect(() => same<{ a?: string }, object>()).not.toThrow()
  // @ts-expect-error The field has another type.
  expect(() => same<{ a: string | null }, { a: string }>()).not.toThrow()
})

test('an option that does not exist is an error of types', async () => {
  const asked = async (sdk: Sdk.Mnemograph): Promise<void> => {
    // @ts-expect-error
    await sdk.memories.create({ content: 'a', userId: 'b', user_id: 'c' })
    // @ts-expect-error
    await sdk.memories.search({ query: 'a', treshold: 1 })
    // @ts-expect-error
    await sdk.memories.list({ user: 'a' })
    // @ts-expect-error A whole list has no page.
    sdk.memories.all({ page: 2 })
    // @ts-expect-error Entities have no users.
    await sdk.entities.list({ userId: 'a' })
    // @ts-expect-error Only creates can be given a key.
    await sdk.memories.get('mem_1', { idempotencyKey: 'a' })
    // @ts-expect-error
    await sdk.relations.list({}, { timeout: 1 })
  }
  expect(asked).toBeTypeOf('function')
})
