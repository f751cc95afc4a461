import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openApiDocument } from '../openapi/document.ts'
import { referencePage } from './page.ts'

test('its commands take the key from a variable that it explains, and that no command of the service refuses', () => {
  const page = referencePage(openApiDocument())
  const names = new Set([...page.matchAll(/Bearer \$(\w+)/g)].map(([, name = '']) => name))
  expect([...names]).toHaveLength(1)
  for (const name of names) {
    expect(page).toContain(`<code>export ${name}=mng_…</code>`)
    expect(() => readConfig({ [name]: 'mng_a' })).not.toThrow()
  }
})
