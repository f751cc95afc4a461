// JSON from elsewhere, of which anything may be wrong. The parser's own error quotes the text, which belongs to
// a user and must not reach a log or a terminal: so there is none.

/** Undefined when the text is no JSON, which itself has no such value. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether it has fields: a list has none. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
