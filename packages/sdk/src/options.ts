// What can be set for a client and for one call, checked when it is given: a number that a timer cannot hold
// would fire at once, and what no header can hold would be in the words of the platform, key and all. No
// message repeats a value.

export type Bounds = {
  /** For one try, from its beginning to the end of the answer; 1 to 2,147,483,647. */
  timeoutMs: number
  /** How many tries may follow the first one. */
  retries: number
}

/** A list or a search may wait 60 s for its turn: who gives up sooner never reads why it had none. */
const DEFAULTS: Bounds = { timeoutMs: 90_000, retries: 2 }
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Throws TypeError. */
export function readBounds(given: Partial<Bounds>, otherwise: Bounds = DEFAULTS): Bounds {
  const { timeoutMs = otherwise.timeoutMs, retries = otherwise.retries } = given
  if (!(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new TypeError('timeoutMs must be a number from 1 to 2,147,483,647.')
  }
  if (!(Number.isInteger(retries) && retries >= 0)) {
    throw new TypeError('retries must be a whole number, 0 or more.')
  }
  return { timeoutMs, retries }
}

/** Throws TypeError for what cannot be the value of a header. */
export function headerText(name: string, value: string, lengthMax: number): string {
  if (typeof value === 'string' && /^[!-~]+$/.test(value) && value.length <= lengthMax) return value
  throw new TypeError(
    `${name} must be 1 to ${lengthMax} visible ASCII characters, without spaces and line ends.`,
  )
}

/** The base of all addresses, without a slash at its end. Throws TypeError. */
export function readBaseUrl(text: string): string {
  // Not `URL.canParse`, which is younger than some of the platforms.
  let url: URL | undefined
  try {
    url = new URL(text)
  } catch {}
  const isBase = url && /^https?:$/.test(url.protocol) && !/[?#]/.test(text)
  if (url === undefined || !isBase || url.username !== '' || url.password !== '') {
    throw new TypeError(
      'baseUrl must be an http or https address, without a user, a password, a query or a fragment.',
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/v1')) {
    throw new TypeError('baseUrl must not end in /v1, which the client adds itself.')
  }
  return `${url.origin}${path}`
}
