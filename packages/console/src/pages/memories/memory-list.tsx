// Excerpts of memories, each a link that opens the whole memory over the same filter and page. The facts
// below each text are those of the playground too.
import './memories.css'
import { Link } from '@tanstack/react-router'
import type { MemoryListItem } from '../../api/contract.ts'
import { excerpt } from '../../components/cut.ts'
import { count } from '../../components/number.ts'
import { Time } from '../../components/time.tsx'
import type { MemorySearchParams } from './memory-filter.tsx'

/** In characters; as many as the few lines of a list can show. */
export const EXCERPT_LENGTH = 320

/** As many tags as a line or two have room for; the open memory shows all. */
const TAGS_SHOWN = 8
const TAG_LENGTH = 40

export const MemoryList = ({
  items,
  keyId,
  filter,
  isStale,
}: {
  items: readonly MemoryListItem[]
  keyId: string
  filter: MemorySearchParams
  isStale: boolean
}) => (
  <ul className="memories" aria-busy={isStale}>
    {items.map((item) => (
      <li key={item.id} id={item.id}>
        <Link
          to="/keys/$key/memories"
          params={{ key: keyId }}
          search={{ ...filter, open: item.id }}
          resetScroll={false}
          className="memory-text"
          dir="auto"
        >
          {excerpt(item.content, EXCERPT_LENGTH)}
        </Link>
        <MemoryFacts item={item} />
      </li>
    ))}
  </ul>
)

export const MemoryFacts = ({
  item: { userId, agentId, tags, createdAt },
}: {
  item: Pick<MemoryListItem, 'userId' | 'agentId' | 'tags' | 'createdAt'>
}) => (
  <p className="memory-facts">
    <span>
      <span className="visually-hidden">User </span>
      <bdi>{userId}</bdi>
    </span>
    {agentId !== undefined && (
      <span>
        <span className="visually-hidden">Agent </span>
        <bdi>{agentId}</bdi>
      </span>
    )}
    <Time at={createdAt} as="ago" />
    {tags.slice(0, TAGS_SHOWN).map((tag) => (
      <span key={tag} className="badge tag">
        {excerpt(tag, TAG_LENGTH)}
      </span>
    ))}
    {tags.length > TAGS_SHOWN && <span>+{count(tags.length - TAGS_SHOWN, 'tag')}</span>}
  </p>
)
