// Code as the page shows it: requests as commands that can be pasted, and JSON in colours.
import type { Json } from '../openapi/types.ts'
import { html, type Markup } from './html.ts'

/** Stands for the address under which the reader reached the page. */
export const BASE_ADDRESS = 'http://127.0.0.1:8080'

/** Where the commands find the key. A name that begins like the settings' would be refused as an unknown one. */
export const KEY_VARIABLE = 'KEY'

export function curl(
  method: string,
  path: string,
  { query = {}, body }: { query?: Readonly<Record<string, Json>>; body?: Json | undefined },
): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const address = `${BASE_ADDRESS}${path}${search === '' ? '' : `?${search}`}`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${address}'`,
    `-H "Authorization: Bearer $${KEY_VARIABLE}"`,
  ]
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''")
    lines.push(`-H 'Content-Type: application/json'`, `-d '${json}'`)
  }
  return lines.join(' \\\n  ')
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?)\b/g

export function coloured(value: Json): Markup {
  const json = JSON.stringify(value, null, 2)
  const parts: Markup[] = []
  let end = 0
  for (const token of json.matchAll(TOKEN)) {
    const [whole, text, colon, literal] = token
    parts.push(html`${json.slice(end, token.index)}`)
    if (literal !== undefined) parts.push(html`<i class="literal">${literal}</i>`)
    else if (colon !== undefined) parts.push(html`<i class="key">${text}</i>${colon}`)
    else parts.push(html`<i class="text">${text}</i>`)
    end = token.index + whole.length
  }
  return html`${parts}${json.slice(end)}`
}
