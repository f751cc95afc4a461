// Memories that have an entity's name in their text, which is all that joins the two. The server looks
// through the memories in parts, the newest first: when a part has none, an older one still may.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Mentions } from '../../../api/contract.ts'
import { fetchMentions } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { cut } from '../../../components/cut.ts'
import { Problem } from '../../../components/states.tsx'
import { Time } from '../../../components/time.tsx'

/** An excerpt begins so many characters before the name, so that a long text shows why it is listed. */
const BEFORE = 60
const LENGTH = 220

type Mention = Mentions['items'][number]

export function EntityMentions({ keyId, id }: { keyId: string; id: string }) {
  const mentions = useInfiniteQuery({
    queryKey: ['key', keyId, 'graph', 'mentions', id],
    queryFn: ({ pageParam, signal }) => fetchMentions(keyId, id, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const parts = mentions.data?.pages ?? []
  const items = parts.flatMap((part) => part.items)
  return (
    <section aria-label="Memories that mention it" className="stack tight">
      <h3>Mentioned in memories</h3>
      {mentions.error && <Problem error={mentions.error} retry={mentions.refetch} />}
      {!mentions.error && items.length === 0 && (
        <p className="quiet small">
          {mentions.isFetching
            ? 'Looking…'
            : mentions.hasNextPage
              ? 'Not in the newest ones.'
              : 'No memory has this name in its text.'}
        </p>
      )}
      <ul className="mentions">
        {items.map((memory) => (
          <li key={memory.id}>
            <Link
              to="/keys/$key/memories"
              params={{ key: keyId }}
              search={{ open: memory.id }}
              dir="auto"
            >
              <Excerpt content={memory.content} place={memory.place} />
            </Link>
            <p className="quiet small">
              <bdi>{memory.userId}</bdi>, <Time at={memory.createdAt} as="ago" />
            </p>
          </li>
        ))}
      </ul>
      {/* Pressed once it stays, so that it keeps the focus when nothing is left. */}
      {(mentions.hasNextPage || parts.length > 1) && (
        <Button
          size="small"
          aria-disabled={!mentions.hasNextPage}
          isBusy={mentions.isFetchingNextPage}
          onClick={() => void mentions.fetchNextPage()}
        >
          {mentions.isFetchingNextPage ? 'Looking…' : 'Look further'}
        </Button>
      )}
    </section>
  )
}

function Excerpt({ content, place }: { content: string; place: Mention['place'] }) {
  const start = Math.max(0, place.start - BEFORE)
  return (
    <>
      {start > 0 && '…'}
      {cut(content, start, place.start)}
      <mark>{content.slice(place.start, place.end)}</mark>
      {cut(content, place.end, start + LENGTH)}
      {start + LENGTH < content.length && '…'}
    </>
  )
}
