// A field that finds an entity by a part of its name, among all entities of the key. Enter takes the first
// match of the text as it is now: if its list has not come yet, it waits for it.
import { Combobox } from '@base-ui/react/combobox'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { EntityType } from '../../api/contract.ts'
import { entitySearchQuery } from '../../api/graph.ts'
import { count } from '../../components/number.ts'
import { shownName } from '../../components/shown-name.ts'
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
  const [isAwaited, setAwaited] = useState(false)
  const popup = useRef<Combobox.Root.Actions>(null)
  // Shows what is chosen elsewhere on the page; text that is being typed here stays.
  if (value?.id !== followed) {
    setFollowed(value?.id)
    if (value?.id !== chosen) setText(value?.name ?? '')
  }
  const wanted = text.trim()
  const search = useQuery(entitySearchQuery(keyId, wanted === value?.name ? '' : wanted))
  const items: Found[] = search.data?.items ?? []
  const more = (search.data?.total ?? 0) - items.length
  const choose = (found: Found | null) => {
    setChosen(found?.id)
    onChoose(found ?? undefined)
  }
  const awaitFirst = (
    event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler(): void },
  ) => {
    const isHighlighted = event.currentTarget.hasAttribute('aria-activedescendant')
    const isNothingTyped = wanted === '' || wanted === value?.name
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (isHighlighted || isNothingTyped) return
    // By itself the list would close and clear the text.
    event.preventDefault()
    event.preventBaseUIHandler()
    setAwaited(true)
  }
  useEffect(() => {
    if (!isAwaited || search.isPending) return
    setAwaited(false)
    const [first] = items
    if (!first) return
    choose(first)
    setText(first.name)
    popup.current?.close()
  })
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Combobox.Root<Found>
        items={value && !items.some((item) => item.id === value.id) ? [...items, value] : items}
        filteredItems={items}
        filter={null}
        value={value ?? null}
        inputValue={text}
        onInputValueChange={(next) => {
          setText(next)
          setAwaited(false)
        }}
        onValueChange={choose}
        actionsRef={popup}
        autoHighlight
        itemToStringLabel={({ name }) => name}
        isItemEqualToValue={(a, b) => a.id === b.id}
      >
        <Combobox.Input
          id={id}
          className="input"
          dir="auto"
          placeholder="A part of its name"
          onKeyDown={awaitFirst}
        />
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
                    <span className="ellipsis">{shownName(item.name)}</span>
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
