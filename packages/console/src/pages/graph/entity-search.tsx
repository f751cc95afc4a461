// A field that finds an entity by a part of its name, among all of the space.
import { Combobox } from '@base-ui/react/combobox'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import type { EntityType } from '../../api/contract.ts'
import { entitySearchQuery } from '../../api/graph.ts'
import { count } from '../../components/number.ts'
import { TypeName } from './entity-types.tsx'

export type Found = { id: string; name: string; type: EntityType }

export function EntitySearch({
  keyId,
  label,
  value,
  onChoose,
}: {
  keyId: string
  label: string
  value?: Found | undefined
  onChoose: (found: Found | undefined) => void
}) {
  const id = useId()
  const [text, setText] = useState(value?.name ?? '')
  const [chosen, setChosen] = useState(value?.id)
  const [followed, setFollowed] = useState(value?.id)
  // What is chosen elsewhere in the page stands in the field too; what is being typed here stays.
  if (value?.id !== followed) {
    setFollowed(value?.id)
    if (value?.id !== chosen) setText(value?.name ?? '')
  }
  const wanted = useDeferredValue(text.trim())
  const search = useQuery(entitySearchQuery(keyId, wanted === value?.name ? '' : wanted))
  const items: Found[] = search.data?.items ?? []
  const more = (search.data?.total ?? 0) - items.length
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Combobox.Root<Found>
        items={value && !items.some((item) => item.id === value.id) ? [...items, value] : items}
        filteredItems={items}
        filter={null}
        value={value ?? null}
        inputValue={text}
        onInputValueChange={setText}
        onValueChange={(found) => {
          setChosen(found?.id)
          onChoose(found ?? undefined)
        }}
        itemToStringLabel={({ name }) => name}
        isItemEqualToValue={(a, b) => a.id === b.id}
      >
        <Combobox.Input id={id} className="input" dir="auto" placeholder="A part of its name" />
        <Combobox.Portal>
          <Combobox.Positioner className="layer" sideOffset={4}>
            <Combobox.Popup className="popup list">
              <Combobox.Status className="menu-note">
                {search.error
                  ? search.error.message
                  : search.isPending
                    ? 'Searching…'
                    : items.length === 0
                      ? 'No entity has this in its name.'
                      : more > 0
                        ? `${count(more, 'more matches', 'more match')}: type more of the name.`
                        : undefined}
              </Combobox.Status>
              <Combobox.List>
                {(item: Found) => (
                  <Combobox.Item key={item.id} value={item} className="menu-item apart">
                    <span className="ellipsis">{item.name}</span>
                    <span className="quiet small">
                      <TypeName type={item.type} />
                    </span>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  )
}
