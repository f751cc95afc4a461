import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'

const manager = Toast.createToastManager()

/** Says in passing that something was done. An error stays where it happened, unless nothing is left there. */
export const say = (text: ReactNode) => manager.add({ title: text, timeout: 4_000 })

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
      {/* It is its name too. */}
      <Toast.Title render={<p />} />
    </Toast.Root>
  ))
}
