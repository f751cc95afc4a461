import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'

const manager = Toast.createToastManager()

/** Says in passing that something was done. */
export const say = (text: ReactNode) => manager.add({ title: text, timeout: 4_000 })

/** An error stays where it happened. Where nothing is left of that it is said, for longer: nobody waits for it. */
export const sayError = (text: ReactNode) => manager.add({ title: text, timeout: 20_000 })

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
