/**
 * What the address of the graph page says: the entity in the middle and how many steps around it are shown,
 * whether as a list, how much of it, and which entity is open in the panel.
 */
export type GraphSearchParams = {
  entity?: string | undefined
  depth?: number | undefined
  view?: 'list' | undefined
  /** How many entities the picture draws; left out for as many as can be told apart. */
  amount?: number | 'all' | undefined
  /** The types that are switched off, with commas. */
  hidden?: string | undefined
  /** Left out when it is the entity in the middle. */
  selected?: string | undefined
}
