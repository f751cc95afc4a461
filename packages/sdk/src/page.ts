// Pages of lists, as the service has them.

export type PageRequest = {
  /** From 1, the default. */
  page?: number
  /** Records on a page: 1 to 100; without it 20. */
  limit?: number
}

export type Pagination = {
  page: number
  limit: number
  /** Of all pages. */
  total: number
  totalPages: number
}

export type Page<Item> = { items: Item[]; pagination: Pagination }
