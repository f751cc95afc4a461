/**
 * What the address of the graph says: the entity in its middle, how far round it, how it is shown, and which
 * entity is open beside it.
 */
export type GraphSearchParams = {
  entity?: string | undefined
  depth?: number | undefined
  view?: 'list' | undefined
  /** Left out when it is the one in the middle. */
  selected?: string | undefined
}
