import './design/tokens.css'
import './design/base.css'
import './design/controls.css'
import './design/surfaces.css'
import './design/overlays.css'
import './layout/layout.css'
import './pages/keys/keys.css'
import './design/forced-colours.css'
import './design/print.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { Toasts } from './components/toast.tsx'
import { router } from './router.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      {/* The page's policy allows no inline style elements. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}
