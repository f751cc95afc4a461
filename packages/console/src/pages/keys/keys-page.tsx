// All keys of the account, revoked ones included, on one page. If there are many, a filter appears, which the
// address keeps.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import type { Key } from '../../api/contract.ts'
import { keysQuery } from '../../api/keys.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Icon } from '../../components/icons.tsx'
import { count } from '../../components/number.ts'
import { Empty, Fetched } from '../../components/states.tsx'
import { Page } from '../../layout/page.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyActions } from './key-actions.tsx'
import { KeyTable } from './key-table.tsx'
import { textFilter } from './text-filter.ts'

/** The number of keys from which on there is a filter. */
const FILTER_FROM = 9

/** More rows than a screen shows; the others are rendered once these are there. */
const SEEN_FIRST = 30

export function KeysPage() {
  const keys = useQuery(keysQuery)
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button tone="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      Create key
    </Button>
  )
  const none = (
    <div className="card">
      <Empty icon="key" title="No keys yet">
        <p>A key is what your app sends with each request. Create one, and start in a minute.</p>
        {create}
      </Empty>
    </div>
  )
  return (
    <Page
      title="Keys"
      lead="Each key opens a space of its own: no other key sees its memories or its graph."
      actions={create}
    >
      <div className="stack">
        <Fetched query={keys} what="your keys" card="card flush">
          {({ items }) => (items.length === 0 ? none : <KeyList keys={items} />)}
        </Fetched>
      </div>
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function KeyList({ keys }: { keys: readonly Key[] }) {
  const navigate = useNavigate()
  const router = useRouter()
  const search = useSearch({ from: '/shell/keys' })
  const [filter, setFilter] = useState(search.filter ?? '')
  // A filter that came with the address must be there to be cleared, even among few keys.
  const [wasFiltered] = useState(filter !== '')
  // Follows the address, which "back" and the link to the keys change. Typing changes it as well, and gets
  // here only after the last letter, when both are the same.
  useEffect(
    () =>
      router.subscribe('onResolved', ({ toLocation }) =>
        setFilter(new URLSearchParams(toLocation.searchStr).get('filter') ?? ''),
      ),
    [router],
  )
  const change = (next: string) => {
    setFilter(next)
    const parameters = { filter: next || undefined }
    void navigate({ to: '/keys', search: parameters, replace: true, resetScroll: false })
  }
  const has = textFilter(filter)
  const shown = keys.filter(({ name, shortId }) => has(name) || has(shortId))
  const rendered = useDeferredValue(shown, shown.slice(0, SEEN_FIRST))
  return (
    <>
      {(keys.length >= FILTER_FROM || wasFiltered) && (
        <div className="filter-bar">
          <Field label="Filter by name or id">
            {(control) => (
              <input
                {...control}
                type="search"
                value={filter}
                onChange={(event) => change(event.target.value)}
              />
            )}
          </Field>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {filter.trim() !== '' && `${count(shown.length, 'key')} found`}
      </p>
      <div className="card flush">
        {shown.length === 0 ? (
          <Empty icon="search" title="No key has this name or id" />
        ) : (
          <KeyTable keys={rendered} actions={(key) => <KeyActions item={key} />} />
        )}
      </div>
    </>
  )
}
