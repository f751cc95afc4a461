import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'

const manager = Toast.createToastManager()

/** Says in passing that something was done. */
export const say = (text: ReactNode) => manager.add({ title: text, timeout: 4_000 })

/**
 * Errors are shown where they happened. This is for when that place is gone; it stays longer, since nobody is
 * waiting for it.
 */
export const sayError = (text: ReactNode) => manager.add({ title: text, timeout: 20_000 })

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
