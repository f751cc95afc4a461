// New keys whose secret the reader has not confirmed to have saved. They are kept here and not by the page
// that asked, which may be gone when the answer comes. Each is shown only to the account that asked.
import { useSyncExternalStore } from 'react'
import { signedInId } from './accounts.ts'
import type { NewKey } from './contract.ts'
import { PATIENCE_MS } from './patience.ts'

export type UnsavedKey = NewKey & {
  accountId: string | undefined
  /** The id of the key whose place it took. */
  replaced: string | undefined
}

/** Requests for a key that are under way. */
const asked = new Set<{ atMs: number }>()
let unsaved: readonly UnsavedKey[] = []
const listeners = new Set<() => void>()

function change(next: readonly UnsavedKey[]) {
  unsaved = next
  for (const each of listeners) each()
}

/** Keeps the key of the answer until it is marked as saved; `replaced` is the id of the key it replaces. */
export async function keepNewKey(answer: Promise<NewKey>, replaced?: string): Promise<NewKey> {
  const accountId = signedInId()
  const one = { atMs: performance.now() }
  asked.add(one)
  try {
    const made = await answer
    change([...unsaved, { ...made, accountId, replaced }])
    return made
  } finally {
    asked.delete(one)
  }
}

export const markSaved = (key: UnsavedKey) => change(unsaved.filter((each) => each !== key))

/** The account's oldest key that is still to be saved. */
export function useUnsavedKey(accountId: string | undefined): UnsavedKey | undefined {
  return useSyncExternalStore(subscribe, () => unsavedOf(accountId))
}

const unsavedOf = (accountId: string | undefined) =>
  unsaved.find((each) => each.accountId === accountId)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const hasUnsavedKey = (accountId = signedInId()) => unsavedOf(accountId) !== undefined

/** Whether a key is on its way: it comes only once, and is lost to whoever closes the page. */
export const isKeyOnItsWay = () => asked.size > 0

/** Whether a key was asked for so recently that it may come any moment; a later one holds nobody back. */
export const isKeyExpected = () =>
  [...asked].some(({ atMs }) => performance.now() - atMs < PATIENCE_MS)
