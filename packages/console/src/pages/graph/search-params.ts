/**
 * What the address of the graph page says: the entity in the middle and how many steps around it are shown,
 * whether as a list, and which entity is open in the panel.
 */
export type GraphSearchParams = {
  entity?: string | undefined
  depth?: number | undefined
  view?: 'list' | undefined
  /** Left out when it is the entity in the middle. */
  selected?: string | undefined
}
