import { execFileSync } from 'node:child_process'
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

test('a shortened key takes the place of no whole one, and stands where there is none', () => {
  const { curl, MCP: agent } = snippets('http://127.0.0.1:8080', 'mng_abc')
  const run = (text: string, env: Record<string, string>) => {
    const tools = 'curl() { printf \'%s\\n\' "$*"; }; claude() { curl "$@"; }'
    return execFileSync('/bin/sh', ['-c', `${tools}\n${text}`], { env, encoding: 'utf8' })
  }
  for (const text of [curl, agent]) {
    expect(run(text, { KEY: 'mng_abcdef' })).toContain('Authorization: Bearer mng_abcdef')
    expect(run(text, { KEY: 'mng_abcdef' })).not.toContain('…')
    expect(run(text, {})).toContain("First, with the whole key: export KEY='mng_abc…'")
  }
})
