// The address of a running server, as people give it to a command. One with a password in it is refused, since
// addresses are shown and logged; so is one with a query, a fragment or a space, behind which no path can be
// put; and so is that of the API or of the tools, where there is nothing that a command asks for.
import { InvalidArgumentError } from 'commander'

/** Looked for in the text: a URL has no trace of white space, or of a `?` with nothing behind it. */
const NO_ADDRESS = /[?#\s\p{Cc}]/u

/** For commander. Without slashes at its end, so that a path can be put behind it. */
export function serverAddress(text: string): string {
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && !NO_ADDRESS.test(text)
  const isServer = isAddress && !/\/(v1|mcp)\/*$/.test(url.pathname)
  if (isServer && url.username + url.password === '') return text.replace(/\/+$/, '')
  throw new InvalidArgumentError(
    'It must be an address such as http://127.0.0.1:8080, without /v1 and /mcp.',
  )
}
