// The menu of what can be done with a key. Rotating and purging are offered only while it has data of its
// own. A list may have hundreds of these menus: each is a plain button until its first use, and has dialogs
// only once one was opened.
import { Menu } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Key } from '../../api/contract.ts'
import { keysQuery, revokeKey, rotateKey } from '../../api/keys.ts'
import { hasUnsavedKey } from '../../api/new-keys.ts'
import { refetch } from '../../api/query-client.ts'
import { Confirm, type Confirmation } from '../../components/confirm.tsx'
import { Icon } from '../../components/icons.tsx'
import { shownName } from '../../components/shown-name.ts'
import { useSay } from '../../components/toast.tsx'
import { isBoundForTitle } from '../../components/vanishing.ts'
import { PurgeDialog } from './purge-key.tsx'

/** Called even when no answer came: the request may have been carried out all the same. */
const refreshKeys = (id: string) =>
  Promise.all([refetch(keysQuery), refetch({ queryKey: ['key', id] })])

export function KeyActions({ item }: { item: Key }) {
  const navigate = useNavigate()
  const { say } = useSay()
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const [isPurging, setPurging] = useState(false)
  const wasAsked = useRef(false)
  if (confirmation || isPurging) wasAsked.current = true
  const [isUsed, setUsed] = useState(false)
  // When a dialog closes, the menu item that opened it is gone, but the menu's button is not.
  const trigger = useRef<HTMLButtonElement>(null)
  // A new key is shown before the question about it has closed, and has the focus by then.
  const toTrigger = () => !hasUnsavedKey() && trigger.current
  const hasData = item.replacedBy === null && !item.isPurged
  const rotate = async () => {
    try {
      await rotateKey(item.id)
    } finally {
      void refreshKeys(item.id)
    }
  }
  const revoke = async () => {
    try {
      await revokeKey(item.id)
    } finally {
      void refreshKeys(item.id)
    }
    say(
      <>
        Revoked <bdi>{shownName(item.name)}</bdi>.
      </>,
    )
  }
  if (!isUsed) {
    return (
      <button
        type="button"
        className="button bare icon small"
        aria-haspopup="menu"
        aria-label={`Actions for the key ${shownName(item.name)}`}
        onClick={() => setUsed(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setUsed(true)
        }}
      >
        <Icon name="more" />
      </button>
    )
  }
  return (
    <>
      <Menu.Root defaultOpen>
        <Menu.Trigger
          ref={trigger}
          className="button bare icon small"
          aria-label={`Actions for the key ${shownName(item.name)}`}
        >
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="layer" align="end" sideOffset={4}>
            <Menu.Popup className="popup" finalFocus={() => !isBoundForTitle()}>
              <Menu.Item
                className="menu-item"
                onClick={() => void navigate({ to: '/keys/$key/start', params: { key: item.id } })}
              >
                Start here
              </Menu.Item>
              {hasData && (
                <Menu.Item
                  className="menu-item"
                  onClick={() => setConfirmation(rotation(item, rotate))}
                >
                  {item.status === 'active' ? 'Rotate…' : 'New key for this data…'}
                </Menu.Item>
              )}
              {item.status === 'active' && (
                <Menu.Item
                  className="menu-item danger"
                  onClick={() => setConfirmation(revocation(item, revoke))}
                >
                  Revoke…
                </Menu.Item>
              )}
              {item.status === 'revoked' && hasData && (
                <Menu.Item className="menu-item danger" onClick={() => setPurging(true)}>
                  Purge its data…
                </Menu.Item>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {wasAsked.current && (
        <>
          <Confirm
            confirmation={confirmation}
            onClose={() => setConfirmation(undefined)}
            finalFocus={toTrigger}
          />
          <PurgeDialog
            item={item}
            isOpen={isPurging}
            onClose={() => setPurging(false)}
            finalFocus={toTrigger}
          />
        </>
      )}
    </>
  )
}

const revocation = ({ name, shortId }: Key, act: () => Promise<void>): Confirmation => ({
  title: 'Revoke this key?',
  verb: 'Revoke the key',
  act,
  children: (
    <>
      <p>
        <strong>{shownName(name)}</strong> <code>{shortId}</code> stops working at once, for every
        app that uses it. This cannot be undone.
      </p>
      <p>Its data stays until you purge it, and a new key for the same data can be made.</p>
    </>
  ),
})

const rotation = ({ name, shortId, status }: Key, act: () => Promise<void>): Confirmation => ({
  title: status === 'active' ? 'Rotate this key?' : 'Make a new key for this data?',
  verb: status === 'active' ? 'Rotate the key' : 'Make the key',
  ...(status === 'revoked' && { isHarmless: true }),
  act,
  doubt:
    'The new key may have been made all the same: then the list has it and says that this one was replaced. If you never saw the new one, rotate that.',
  children: (
    <>
      <p>
        A new key takes over the data, the plan and this month’s usage of{' '}
        <strong>{shownName(name)}</strong> <code>{shortId}</code>. You see it once, in the next
        step.
      </p>
      {status === 'active' && <p>The old key stops working at once, for every app that uses it.</p>}
    </>
  ),
})
