// The filter of the memories page, which holds once it is sent, not while it is typed. The playground and the
// dialog for a new memory use its fields and its reading of tags.
import { useState } from 'react'
import type { MemoryFilter } from '../../api/memories.ts'
import { Button } from '../../components/button.tsx'
import { fieldError, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { useFocusHandover } from '../../components/vanishing.ts'

/** What the address of the memories page says: the filter, the page, and the open memory. */
export type MemorySearchParams = MemoryFilter & { open?: string | undefined }

const FIELDS = ['userId', 'agentId', 'tags'] as const

export type TypedFields = Readonly<Record<(typeof FIELDS)[number], string>>
export type FilterErrors = Readonly<Partial<TypedFields>>

export const typedOf = ({ userId = '', agentId = '', tags = '' }: MemorySearchParams) => ({
  userId,
  agentId,
  tags,
})

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
  const [typed, setTyped] = useState(() => typedOf(filter))
  // "Back" and "Clear" change the filter from outside. The same fields take the new values, and keep the
  // focus.
  const [followed, setFollowed] = useState(filter)
  if (FIELDS.some((field) => filter[field] !== followed[field])) {
    setFollowed(filter)
    setTyped(typedOf(filter))
  }
  return (
    <search>
      <Form
        className="filter-bar"
        onSubmit={() =>
          onFilter({
            userId: unlessBlank(typed.userId),
            agentId: unlessBlank(typed.agentId),
            tags: unlessBlank(typed.tags),
          })
        }
      >
        <MemoryFields
          typed={typed}
          errors={errors}
          onType={(part) => setTyped({ ...typed, ...part })}
        />
        <div className="row">
          <Button type="submit">Filter</Button>
          {isFiltered(filter) && <Clear onClear={onClear} />}
        </div>
      </Form>
    </search>
  )
}

/** It vanishes with the filter, which "back" takes away too. */
function Clear({ onClear }: { onClear: () => void }) {
  const button = useFocusHandover<HTMLButtonElement>()
  return (
    <Button tone="bare" ref={button} onClick={onClear}>
      Clear
    </Button>
  )
}

/** Whose memories, of which agent and with which tags: in a filter, or of a new memory. */
export const MemoryFields = ({
  typed: { userId, agentId, tags },
  errors,
  onType,
  isNew = false,
}: {
  typed: TypedFields
  errors: FilterErrors | undefined
  onType: (part: Partial<TypedFields>) => void
  isNew?: boolean
}) => (
  <>
    <TextField
      label="User"
      value={userId}
      error={errors?.userId}
      onChange={(next) => onType({ userId: next })}
      required={isNew}
    />
    <TextField
      label={isNew ? 'Agent (optional)' : 'Agent'}
      value={agentId}
      error={errors?.agentId}
      onChange={(next) => onType({ agentId: next })}
    />
    <TextField
      label={isNew ? 'Tags (optional)' : 'Tags (with commas)'}
      placeholder={isNew ? 'travel, health' : undefined}
      value={tags}
      error={errors?.tags}
      onChange={(next) => onType({ tags: next })}
    />
  </>
)

/** Not trimmed: an id may begin or end with a space. */
export const unlessBlank = (text: string) => (text.trim() === '' ? undefined : text)

/** Tags that were typed with commas between them. */
export const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
