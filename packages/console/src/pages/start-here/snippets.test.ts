import { expect, test } from 'vitest'
import { snippets } from './snippets.ts'

test('each snippet takes the key from a variable that no command of the service takes for a setting', () => {
  for (const text of Object.values(snippets('http://127.0.0.1:8080', 'mng_abc'))) {
    expect(text).toMatch(/\bKEY='?mng_abc…/)
    expect(text).not.toContain('MNEMOGRAPH_')
  }
})
