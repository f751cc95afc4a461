// What is said in passing, wherever the reader is by then. It is for the account that was signed in when it was
// asked for: an answer may come after somebody else has signed in, and names keys and users.
import { Toast } from '@base-ui/react/toast'
import { type ReactNode, useState } from 'react'
import { signedInId } from '../api/accounts.ts'

const manager = Toast.createToastManager()

const SHOWN_MS = 4_000
/** Longer, since nobody is waiting for it. */
const ERROR_SHOWN_MS = 20_000

export const useSay = () => useState(() => voiceTo(signedInId()))[0]

function voiceTo(accountId: string | undefined) {
  const add = (text: ReactNode, timeout: number) => {
    if (signedInId() === accountId) manager.add({ title: text, timeout })
  }
  return {
    /** Says that something was done. */
    say: (text: ReactNode) => add(text, SHOWN_MS),
    /** Errors are shown where they happened. This is for when that place is gone. */
    sayError: (text: ReactNode) => add(text, ERROR_SHOWN_MS),
  }
}

/** Takes back all that was said. */
export const dropToasts = () => manager.close()

export const Toasts = ({ children }: { children: ReactNode }) => (
  <Toast.Provider toastManager={manager} limit={2}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      {/* Also the toast's accessible name. */}
      <Toast.Title render={<p />} />
    </Toast.Root>
  ))
}
