import { expect, test } from 'vitest'
import { snippets } from './snippets.ts'

test('each snippet takes the key from a variable that no command of the service takes for a setting', () => {
  for (const text of Object.values(snippets('http://127.0.0.1:8080', 'mng_abc'))) {
    expect(text).toMatch(/\bKEY='?mng_abc…/)
    expect(text).not.toContain('MNEMOGRAPH_')
  }
})

test('the lines for a terminal are commands alone, and each answer ends its line', () => {
  const { curl, MCP: agent } = snippets('http://127.0.0.1:8080', 'mng_abc')
  // An interactive zsh takes a # for the name of a command.
  expect(curl + agent).not.toContain('#')
  expect(curl.match(/curl -w '\\n' /g)).toHaveLength(2)
})
