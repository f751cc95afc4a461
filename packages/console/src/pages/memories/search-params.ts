/** What the address of the memories page says: the filter, the page, and the memory that is open. */
export type MemorySearchParams = {
  userId?: string | undefined
  agentId?: string | undefined
  tags?: string | undefined
  page?: number | undefined
  open?: string | undefined
}
