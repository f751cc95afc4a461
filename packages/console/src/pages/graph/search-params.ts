/** What the address of the graph says: the entity in its middle, how far round it, and how it is shown. */
export type GraphSearchParams = {
  entity?: string | undefined
  depth?: number | undefined
  view?: 'list' | undefined
}
