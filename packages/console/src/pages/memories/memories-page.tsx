// The filter, the page and the memory that is open stand in the address, so that a reload or the way
// back from another page shows the same. With a revoked key nothing can be added, but what is there
// can still be read and deleted.
import './memories.css'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { keyQuery } from '../../api/keys.ts'
import { memoriesQuery } from '../../api/memories.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { Pager } from '../../components/pager.tsx'
import { Empty, Loading, Problem } from '../../components/states.tsx'
import { focusOn, PAGE_TITLE } from '../../components/vanishing.ts'
import { Page } from '../../layout/page.tsx'
import { AddMemory, memoryDrafts } from './add-memory.tsx'
import { MemoryDialog } from './memory-dialog.tsx'
import { isFiltered, MemoryFilterBar } from './memory-filter.tsx'
import { MemoryList } from './memory-list.tsx'
import type { MemorySearchParams } from './search-params.ts'

/** The first page is the address without a number. */
const pageOf = (page: number) => (page > 1 ? page : undefined)

export function MemoriesPage() {
  const { key } = useParams({ from: '/shell/keys/$key/memories' })
  const { open, ...filter } = useSearch({ from: '/shell/keys/$key/memories' })
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(() => memoryDrafts.has(key))
  const memories = useQuery(memoriesQuery(key, filter))
  const isRevoked = useQuery(keyQuery(key)).data?.key.status === 'revoked'
  const go = (search: MemorySearchParams) =>
    navigate({ to: '/keys/$key/memories', params: { key }, search })
  // "Back" leads to what was there before the memory was opened, not to the memory again.
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
  const add = !isRevoked && (
    <Button tone="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Add memory
    </Button>
  )
  return (
    <Page title="Memories" actions={add}>
      <div className="stack">
        <MemoryFilterBar filter={filter} onFilter={(next) => void go(next)} onClear={clear} />
        {memories.error && <Problem error={memories.error} retry={memories.refetch} />}
        {memories.data ? (
          <div className="card flush">
            {memories.data.pagination.total === 0 ? (
              isFiltered(filter) ? (
                <Empty icon="search" title="No memory passes this filter">
                  <Button onClick={clear}>Clear the filter</Button>
                </Empty>
              ) : (
                <Empty icon="memory" title="Nothing is remembered yet">
                  {isRevoked ? (
                    <p>This key is revoked: nothing can be added with it.</p>
                  ) : (
                    <p>
                      What your app stores with this key appears here. You can also add a memory
                      yourself.
                    </p>
                  )}
                  {add}
                </Empty>
              )
            ) : memories.data.items.length === 0 && !memories.isPlaceholderData ? (
              // Behind the last page: it was the last one until its memories were deleted.
              <Navigate
                to="/keys/$key/memories"
                params={{ key }}
                search={{ ...filter, page: pageOf(memories.data.pagination.totalPages) }}
                replace
              />
            ) : (
              <>
                <MemoryList
                  items={memories.data.items}
                  keyId={key}
                  filter={filter}
                  isStale={memories.isPlaceholderData}
                />
                <Pager
                  pagination={memories.data.pagination}
                  isBusy={memories.isFetching}
                  onPage={(page) => void go({ ...filter, page: pageOf(page) })}
                />
              </>
            )}
          </div>
        ) : memories.error ? null : (
          <div className="card flush">
            <Loading what="the memories" lines={9} />
          </div>
        )}
      </div>
      <AddMemory keyId={key} isOpen={isAdding} onClose={() => setAdding(false)} />
      <MemoryDialog keyId={key} id={open} onClose={() => void close()} />
    </Page>
  )
}
