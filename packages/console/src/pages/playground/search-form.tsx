// The question and its filters, which are as they were sent when the reader comes back to the page.
import { useLayoutEffect, useRef, useState } from 'react'
import type { PlaygroundSearch } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icons.tsx'
import { count } from '../../components/number.ts'
import {
  type FilterErrors,
  MemoryFields,
  tagsOf,
  typedOf,
  unlessBlank,
} from '../memories/memory-filter.tsx'

const LIMITS = [10, 20, 50, 100] as const

export function SearchForm({
  asked,
  error,
  filterErrors,
  onSearch,
  isBusy,
}: {
  /** What the fields hold at first. */
  asked: PlaygroundSearch | undefined
  /** The question's error. */
  error: string | undefined
  /** The errors of the filter's fields. */
  filterErrors: FilterErrors | undefined
  onSearch: (search: PlaygroundSearch) => void
  isBusy: boolean
}) {
  const [query, setQuery] = useState(asked?.query ?? '')
  const [typed, setTyped] = useState(() => typedOf({ ...asked, tags: asked?.tags?.join(', ') }))
  const [limit, setLimit] = useState(asked?.limit ?? 20)
  const filters = useRef<HTMLDetailsElement>(null)
  const [wasFiltered] = useState(Boolean(asked?.userId || asked?.agentId || asked?.tags))
  // An error of a filter must not stay folded away.
  useLayoutEffect(() => {
    if (filterErrors && filters.current) filters.current.open = true
  }, [filterErrors])
  const submit = () => {
    const { userId, agentId, tags } = typed
    onSearch({
      query,
      ...(unlessBlank(userId) && { userId }),
      ...(unlessBlank(agentId) && { agentId }),
      ...(tagsOf(tags).length > 0 && { tags: tagsOf(tags) }),
      limit,
    })
  }
  return (
    <search>
      <Form className="card stack" onSubmit={submit}>
        <Field label="Question" error={error}>
          {(control) => (
            <div className="with-button">
              <input
                {...control}
                value={query}
                onChange={(event) => setQuery(event.target.value)}
                placeholder="Which coffee does Anna like?"
                autoComplete="off"
                required
              />
              {/* Not `isBusy`: another question may be asked before the answer has come. */}
              <Button type="submit" tone="primary" aria-busy={isBusy}>
                <Icon name="search" />
                Search
              </Button>
            </div>
          )}
        </Field>
        <details open={wasFiltered} ref={filters}>
          <summary>Filters</summary>
          <div className="filter-bar">
            <MemoryFields
              typed={typed}
              errors={filterErrors}
              onType={(part) => setTyped({ ...typed, ...part })}
            />
            <Field label="At most">
              {(control) => (
                <select
                  {...control}
                  value={limit}
                  onChange={(event) => setLimit(Number(event.target.value))}
                >
                  {LIMITS.map((each) => (
                    <option key={each} value={each}>
                      {count(each, 'result')}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
        </details>
      </Form>
    </search>
  )
}
