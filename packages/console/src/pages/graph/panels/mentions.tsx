// Memories that have an entity's name in their text, which is all that joins the two. The server looks
// through the memories in parts, the newest first: when a part has none, an older one still may.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fetchMentions } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { cut, excerpt } from '../../../components/cut.ts'
import { Problem } from '../../../components/states.tsx'
import { Time } from '../../../components/time.tsx'

/** An excerpt begins so many characters before the name, so that a long text shows why it is listed. */
const BEFORE = 60
const LENGTH = 220

export function EntityMentions({ keyId, id, name }: { keyId: string; id: string; name: string }) {
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
              <Excerpt content={memory.content} name={name} />
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

/**
 * Where the name stands in the text, whatever its case; -1 if nowhere. Where lower case changes the length of
 * the text, and so all places in it, only the name as it is written is found.
 */
function placeOf(name: string, content: string): number {
  const small = content.toLowerCase()
  return small.length === content.length ? small.indexOf(name.toLowerCase()) : content.indexOf(name)
}

function Excerpt({ content, name }: { content: string; name: string }) {
  const at = placeOf(name, content)
  if (at === -1) return excerpt(content, LENGTH)
  const start = Math.max(0, at - BEFORE)
  return (
    <>
      {start > 0 && '…'}
      {cut(content, start, at)}
      <mark>{content.slice(at, at + name.length)}</mark>
      {cut(content, at + name.length, start + LENGTH)}
      {start + LENGTH < content.length && '…'}
    </>
  )
}
