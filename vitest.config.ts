import { defineConfig } from 'vitest/config'

/** Logic beside its file, the store's suite, and the black-box suite over HTTP, in one run. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'acceptance/**/*.test.ts', 'eval/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
