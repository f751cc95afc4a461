// Keys that were made and that nobody has said to have saved. They are kept here, not by the page that
// asked: an answer may come when that page is no longer there. Each is for the account that asked.
import { useSyncExternalStore } from 'react'
import { sessionQuery } from './accounts.ts'
import type { NewKey } from './contract.ts'
import { PATIENCE_MS } from './patience.ts'
import { queryClient } from './query-client.ts'

export type UnsavedKey = NewKey & {
  accountId: string | undefined
  /** The id of the key whose place it took. */
  replaced: string | undefined
}

const signedIn = () => queryClient.getQueryData(sessionQuery.queryKey)?.account.id

/** When each key was asked for that is on its way. */
const asked = new Set<{ atMs: number }>()
let unsaved: readonly UnsavedKey[] = []
const listeners = new Set<() => void>()

function change(next: readonly UnsavedKey[]) {
  unsaved = next
  for (const each of listeners) each()
}

/** Once its answer has come the key stands to be shown. */
export async function keepNewKey(answer: Promise<NewKey>, replaced?: string): Promise<NewKey> {
  const accountId = signedIn()
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

/** The first of the account that is still to be saved. */
export function useUnsavedKey(accountId: string | undefined): UnsavedKey | undefined {
  return useSyncExternalStore(subscribe, () => unsavedOf(accountId))
}

const unsavedOf = (accountId: string | undefined) =>
  unsaved.find((each) => each.accountId === accountId)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const hasUnsavedKey = (accountId = signedIn()) => unsavedOf(accountId) !== undefined

/** Whether a key is on its way: it is shown once, and lost to whoever closes the page. */
export const isKeyOnItsWay = () => asked.size > 0

/** Whether one is to be expected any moment. Later nobody is held back. */
export const isKeyExpected = () =>
  [...asked].some(({ atMs }) => performance.now() - atMs < PATIENCE_MS)
