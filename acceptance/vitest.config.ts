import { defineConfig } from 'vitest/config'

/** The black-box suite alone: `npx vitest run -c acceptance/vitest.config.ts`. */
export default defineConfig({
  test: {
    include: ['acceptance/**/*.test.ts'],
    globalSetup: ['acceptance/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
