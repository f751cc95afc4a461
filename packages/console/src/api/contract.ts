// The server's contract: its types, and values from those of its files that import no validator, since none
// shall reach the browser. PASSWORD_LENGTH_MIN is in a file that does: here is a copy, which the compiler
// compares with it.

export type * from '../../../server/src/console/contract/accounts.ts'
export type * from '../../../server/src/console/contract/answers.ts'
export type * from '../../../server/src/console/contract/entry.ts'
export type * from '../../../server/src/console/contract/errors.ts'
export type * from '../../../server/src/console/contract/graph.ts'
export type * from '../../../server/src/console/contract/interface.ts'
export type * from '../../../server/src/console/contract/keys.ts'
export type * from '../../../server/src/console/contract/memories.ts'
export type * from '../../../server/src/console/contract/sessions.ts'
export type * from '../../../server/src/console/contract/usage.ts'
export type { EntityType } from '../../../server/src/contract/entities.ts'

import type * as Entry from '../../../server/src/console/contract/entry.ts'
import type { EntityType } from '../../../server/src/contract/entities.ts'

export { API_PREFIX } from '../../../server/src/console/contract/interface.ts'
export { SESSION_IDLE_MINUTES } from '../../../server/src/console/contract/sessions.ts'
export { CONTENT_LENGTH_MAX } from '../../../server/src/contract/bounds.ts'
export { MONTHLY_QUOTA } from '../../../server/src/contract/plans.ts'

export const PASSWORD_LENGTH_MIN: typeof Entry.PASSWORD_LENGTH_MIN = 12

/** Every entity type and its name on the page, in the order of the legend. */
export const ENTITY_TYPE_NAMES: Readonly<Record<EntityType, string>> = {
  PERSON: 'Person',
  ORGANIZATION: 'Organization',
  LOCATION: 'Location',
  PRODUCT: 'Product',
  EVENT: 'Event',
  CONCEPT: 'Concept',
  OTHER: 'Other',
}
// The keys of an exhaustive record of EntityType are exactly the entity types.
export const ENTITY_TYPES = Object.keys(ENTITY_TYPE_NAMES) as EntityType[]
