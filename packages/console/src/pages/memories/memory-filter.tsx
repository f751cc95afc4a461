// The filter of the memories page, which holds once it is sent, not while it is typed. The playground and the
// dialog for a new memory use its fields and its reading of tags.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field, fieldError } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import type { MemorySearchParams } from './search-params.ts'

const FIELDS = ['userId', 'agentId', 'tags'] as const

export type FilterErrors = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>

/** What an error says about fields of the filter; undefined if it is about something else. */
export function filterErrors(error: unknown): FilterErrors | undefined {
  for (const field of FIELDS) {
    const text = fieldError(error, field, ...(field === 'userId' ? USER_CODES : []))
    if (text !== undefined) return { [field]: text }
  }
  return undefined
}

const USER_CODES = ['INVALID_USER_ID'] as const

export const isFiltered = (filter: MemorySearchParams) => FIELDS.some((field) => filter[field])

export function MemoryFilterBar({
  filter,
  errors,
  onFilter,
  onClear,
}: {
  filter: MemorySearchParams
  errors: FilterErrors | undefined
  onFilter: (filter: MemorySearchParams) => void
  onClear: () => void
}) {
  const [userId, setUserId] = useState(filter.userId ?? '')
  const [agentId, setAgentId] = useState(filter.agentId ?? '')
  const [tags, setTags] = useState(filter.tags ?? '')
  // "Back" and "Clear" change the filter from outside. The same fields take the new values, and keep the
  // focus.
  const [followed, setFollowed] = useState(filter)
  if (FIELDS.some((field) => filter[field] !== followed[field])) {
    setFollowed(filter)
    setUserId(filter.userId ?? '')
    setAgentId(filter.agentId ?? '')
    setTags(filter.tags ?? '')
  }
  return (
    <search>
      <Form
        className="filter-bar"
        onSubmit={() =>
          onFilter({
            userId: unlessBlank(userId),
            agentId: unlessBlank(agentId),
            tags: unlessBlank(tags),
          })
        }
      >
        <FilterField label="User" value={userId} error={errors?.userId} onChange={setUserId} />
        <FilterField label="Agent" value={agentId} error={errors?.agentId} onChange={setAgentId} />
        <FilterField
          label="Tags (with commas)"
          value={tags}
          error={errors?.tags}
          onChange={setTags}
        />
        <div className="row">
          <Button type="submit">Filter</Button>
          {isFiltered(filter) && (
            <Button tone="bare" onClick={onClear}>
              Clear
            </Button>
          )}
        </div>
      </Form>
    </search>
  )
}

export const FilterField = ({
  label,
  value,
  error,
  onChange,
}: {
  label: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => (
  <Field label={label} error={error}>
    {(control) => (
      <input
        {...control}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    )}
  </Field>
)

/** Not trimmed: an id may begin or end with a space. */
export const unlessBlank = (text: string) => (text.trim() === '' ? undefined : text)

/** Tags that were typed with commas between them. */
export const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
