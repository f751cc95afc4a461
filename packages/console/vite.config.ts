// The console as static files under /console. Nothing comes from elsewhere and nothing is inlined, because
// the page's policy (default-src 'none') would refuse it.
// decisions/2026-11-21-console-frontend.md
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first browsers with light-dark(), which the themes need.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
})
