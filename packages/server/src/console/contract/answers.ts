// What each request of the console's interface is answered with, by method and path. The compiler holds every
// route of the server to it (http/console/route.ts), and the page has the types of its answers from here: what
// arrives it does not check again.
import type { Entity, EntityListItem } from '../../contract/entities.ts'
import type { Forgotten } from '../../contract/forget.ts'
import type { Memory, MemoryListItem } from '../../contract/memories.ts'
import type { Deleted, List } from '../../contract/page.ts'
import type { CreatedRelation, Relation, RelationListItem } from '../../contract/relations.ts'
import type { Accounts, Invitations, IssuedLink } from './accounts.ts'
import type { LinkInfo, SignedIn, Start } from './entry.ts'
import type { Graph, Mentions, Named, Path, WholeGraph } from './graph.ts'
import type { FirstRequest, Key, KeyDetails, Keys, NewKey, Purge } from './keys.ts'
import type { Playground } from './memories.ts'
import type { Sessions } from './sessions.ts'
import type { Usage } from './usage.ts'

type Nothing = Record<string, never>

export type Answers = {
  GET: {
    '/start': Start
    '/session': SignedIn
    '/sessions': Sessions
    '/accounts': Accounts
    '/invitations': Invitations
    '/keys': Keys
    '/keys/:key': KeyDetails
    '/keys/:key/usage': Usage
    '/keys/:key/first-request': FirstRequest
    '/keys/:key/memories': List<MemoryListItem>
    '/keys/:key/memories/:id': Memory
    '/keys/:key/entities': List<EntityListItem>
    '/keys/:key/entities/:id': Entity
    '/keys/:key/relations': List<RelationListItem>
    '/keys/:key/relations/:id': Relation
    '/keys/:key/graph': WholeGraph
    '/keys/:key/named': Named
    '/keys/:key/path': Path
    '/keys/:key/entities/:id/neighbourhood': Graph
    '/keys/:key/entities/:id/memories': Mentions
  }
  POST: {
    '/sign-in': SignedIn
    '/sign-up': SignedIn
    '/sign-out': Nothing
    '/links/look': LinkInfo
    '/links/use': SignedIn
    '/password': SignedIn
    '/sessions/end-others': Nothing
    '/sessions/:id/end': Nothing
    '/accounts/:id/reset-link': IssuedLink
    '/invitations': IssuedLink
    '/invitations/:id/withdraw': Nothing
    '/keys': NewKey
    '/keys/:key/revoke': Key
    '/keys/:key/rotate': NewKey
    '/keys/:key/purge': Purge
    '/keys/:key/memories': Memory
    '/keys/:key/memories/forget': Forgotten
    '/keys/:key/memories/search': Playground
    '/keys/:key/memories/:id/delete': Deleted
    '/keys/:key/entities': Entity
    '/keys/:key/entities/:id/delete': Deleted
    '/keys/:key/relations': CreatedRelation
    '/keys/:key/relations/:id/delete': Deleted
  }
}

/** Below /console/api. */
export type PathOf<Method extends keyof Answers> = keyof Answers[Method] & string

export type AnswerTo<Method extends keyof Answers, Path extends string> =
  Path extends PathOf<Method> ? Answers[Method][Path] : never
