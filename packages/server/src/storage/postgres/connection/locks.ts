// The advisory locks of this service, each with a number of its own: the first number tells them from
// those of other programs in the same database.
const LOCKS_OF_THE_DATABASE = 0x6d_6e_67_31
const LOCKS_OF_SPACES = 0x6d_6e_67_32

/** The arguments of PostgreSQL's functions for advisory locks. */
export const LOCKS = {
  migration: `${LOCKS_OF_THE_DATABASE}, 1`,
  generation: `${LOCKS_OF_THE_DATABASE}, 2`,
  reembedding: `${LOCKS_OF_THE_DATABASE}, 3`,
  import: `${LOCKS_OF_THE_DATABASE}, 4`,
  firstKey: `${LOCKS_OF_THE_DATABASE}, 5`,
  piecesByMemory: `${LOCKS_OF_THE_DATABASE}, 6`,
  names: `${LOCKS_OF_THE_DATABASE}, 7`,
  /** Of the space that is the first parameter. Spaces that share a number wait without need. */
  space: `${LOCKS_OF_SPACES}, ($1::bigint % 2147483648)::int`,
}
