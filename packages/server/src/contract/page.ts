// Pages of lists: the request's parameters and the envelope that the contract documents.
import { type Static, type TSchema, Type } from 'typebox'
import { LIMIT_MAX, LIST_LIMIT_DEFAULT, PAGE_MAX } from './bounds.ts'
import { integer } from './fields.ts'

export const pageParameters = {
  page: Type.Optional(Type.Integer({ ...integer(1, PAGE_MAX), default: 1 })),
  limit: Type.Optional(Type.Integer({ ...integer(1, LIMIT_MAX), default: LIST_LIMIT_DEFAULT })),
}

export type PageRequest = { page: number; limit: number }

/** The page that a query asks for, with the contract's defaults. */
export const toPageRequest = (query: Partial<PageRequest>): PageRequest => ({
  page: query.page ?? 1,
  limit: query.limit ?? LIST_LIMIT_DEFAULT,
})

export const Pagination = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX }),
  total: Type.Integer({ minimum: 0 }),
  totalPages: Type.Integer({ minimum: 0 }),
})
export type Pagination = Static<typeof Pagination>

export const listOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), pagination: Pagination })

export type List<Item> = { items: Item[]; pagination: Pagination }

/** A page past the end is empty and still knows the true total. */
export function toList<Item>(items: Item[], total: number, { page, limit }: PageRequest) {
  return {
    items,
    pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
  } satisfies List<Item>
}

export const Deleted = Type.Object({ success: Type.Literal(true), id: Type.String() })
export type Deleted = Static<typeof Deleted>
