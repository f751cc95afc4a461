// The filter, the page and the open memory are in the address, so that a reload or "back" shows the same
// again. With a revoked key nothing can be added, but what is there can still be read and deleted.
import './memories.css'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { MemoryListItem, Pagination } from '../../api/contract.ts'
import { keyQuery } from '../../api/keys.ts'
import { type MemoryFilter, memoriesQuery } from '../../api/memories.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { Pager } from '../../components/pager.tsx'
import { Empty, Loading, Problem } from '../../components/states.tsx'
import { focusOn, PAGE_TITLE, useFocusHandover } from '../../components/vanishing.ts'
import { Page } from '../../layout/page.tsx'
import { AddMemory, memoryDrafts } from './add-memory.tsx'
import { ForgetUser } from './forget-user.tsx'
import { MemoryDialog } from './memory-dialog.tsx'
import {
  filterErrors,
  isFiltered,
  MemoryFilterBar,
  type MemorySearchParams,
} from './memory-filter.tsx'
import { MemoryList } from './memory-list.tsx'

/** The address of the first page has no number. */
const pageOf = (page: number) => (page > 1 ? page : undefined)

const LOADING = <Loading what="the memories" lines={9} />

export function MemoriesPage() {
  const { key } = useParams({ from: '/shell/keys/$key/memories' })
  const { open, ...filter } = useSearch({ from: '/shell/keys/$key/memories' })
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(() => memoryDrafts.has(key))
  const { userId } = filter
  const memories = useQuery(memoriesQuery(key, filter))
  const refused = filterErrors(memories.error)
  const isNothingFound = !memories.isPlaceholderData && memories.data?.pagination.total === 0
  const isRevoked = useQuery(keyQuery(key)).data?.key.status === 'revoked'
  const go = (search: MemorySearchParams) =>
    navigate({ to: '/keys/$key/memories', params: { key }, search })
  // Replaces the entry of the history, so that "back" does not open the memory again.
  const close = () =>
    navigate({
      to: '/keys/$key/memories',
      params: { key },
      search: filter,
      replace: true,
      resetScroll: false,
    })
  const clear = () => {
    void go({})
    focusOn(PAGE_TITLE)
  }
  const adder = useRef<HTMLButtonElement>(null)
  const add = {
    tone: 'primary',
    onClick: () => setAdding(true),
    children: (
      <>
        <Icon name="plus" />
        Add memory
      </>
    ),
  } as const
  const none = (
    <Empty icon="memory" title={isRevoked ? 'Nothing is remembered' : 'Nothing is remembered yet'}>
      <p>
        {isRevoked
          ? 'This key is revoked: nothing can be added with it.'
          : 'What your app stores with this key appears here. You can also add a memory yourself.'}
      </p>
      {!isRevoked && <Button {...add} />}
    </Empty>
  )
  return (
    <Page title="Memories" actions={!isRevoked && <Button ref={adder} {...add} />}>
      <div className="stack">
        <MemoryFilterBar
          filter={filter}
          errors={refused}
          onFilter={(next) => void go(next)}
          onClear={clear}
        />
        <p className="visually-hidden" role="status">
          {isFiltered(filter) && isNothingFound && '0 memories found'}
        </p>
        {memories.error && !refused && <Problem error={memories.error} retry={memories.refetch} />}
        {!memories.data && !memories.error && <div className="card flush">{LOADING}</div>}
        {memories.data && (
          <div className="card flush">
            <Found
              keyId={key}
              filter={filter}
              found={memories.data}
              isStale={memories.isPlaceholderData}
              isFetching={memories.isFetching}
              none={isFiltered(filter) ? <NonePasses onClear={clear} /> : none}
            />
          </div>
        )}
        {userId !== undefined && (
          <ForgetUser
            key={userId}
            keyId={key}
            userId={userId}
            isOffered={(memories.data?.pagination.total ?? 0) > 0}
          />
        )}
      </div>
      <AddMemory
        keyId={key}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        // The other button vanishes with the first memory.
        finalFocus={() => adder.current}
      />
      <MemoryDialog keyId={key} id={open} onClose={() => void close()} />
    </Page>
  )
}

type FoundProps = {
  keyId: string
  filter: MemoryFilter
  found: { items: readonly MemoryListItem[]; pagination: Pagination }
  /** `found` is still the previous page, while the next one loads. */
  isStale: boolean
  isFetching: boolean
  none: ReactNode
}

function Found({ keyId, filter, found, isStale, isFetching, none }: FoundProps) {
  const navigate = useNavigate()
  const { items, pagination } = found
  const to = (page: number) =>
    ({
      to: '/keys/$key/memories',
      params: { key: keyId },
      search: { ...filter, page: pageOf(page) },
    }) as const
  // That there was nothing says nothing about what is asked for now.
  if (pagination.total === 0) return isStale ? LOADING : none
  // This was the last page until its memories were deleted.
  if (items.length === 0 && !isStale) return <Navigate {...to(pagination.totalPages)} replace />
  return (
    <>
      <MemoryList items={items} keyId={keyId} filter={filter} isStale={isStale} />
      <Pager
        pagination={pagination}
        isBusy={isFetching}
        onPage={(page) => void navigate(to(page))}
      />
    </>
  )
}

function NonePasses({ onClear }: { onClear: () => void }) {
  const button = useFocusHandover<HTMLButtonElement>()
  return (
    <Empty icon="search" title="No memory passes this filter">
      <Button ref={button} onClick={onClear}>
        Clear the filter
      </Button>
    </Empty>
  )
}
