/**
 * What came back for one request, whichever way it was sent, and how its headers are read.
 * A header that has to be a number is read as one or the reading fails.
 */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when there is none or when it is not JSON. */
  readonly body: unknown
}

export function answerOf(status: number, headers: Headers, text: string): Answer {
  return { status, headers, text, body: parsed(headers, text) }
}

export function header(answer: Answer, name: string): string {
  const value = answer.headers.get(name)
  if (value === null) throw new Error(`The ${answer.status} answer has no ${name} header`)
  return value
}

export function numberHeader(answer: Answer, name: string): number {
  const value = header(answer, name)
  if (!/^\d+$/.test(value)) throw new Error(`${name} is not a plain number: ${value}`)
  return Number(value)
}

function parsed(headers: Headers, text: string): unknown {
  if (text === '' || !/^application\/(\w+\+)?json\b/.test(headers.get('content-type') ?? '')) {
    return undefined
  }
  const value: unknown = JSON.parse(text)
  return value
}
