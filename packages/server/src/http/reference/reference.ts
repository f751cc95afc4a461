// All that is served about the interface, made from the contract in one go.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openApiDocument } from '../openapi/document.ts'
import { BASE_ADDRESS } from './code.ts'
import { referencePage } from './page.ts'
import { STYLE } from './style.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
  // The page shows the address under which it was reached.
  vary: 'Host',
}

/** For which the page is kept, so that any number of readers share its bytes. */
const ADDRESSES_MAX = 16

type Reference = {
  name: string
  version: string
  /** The OpenAPI document. */
  json: Buffer
  /** As it is for somebody who reached the service under that address. */
  pageAt: (address: string | undefined) => Buffer
  pageHeaders: Record<string, string>
}

export function makeReference(): Reference {
  const document = openApiDocument()
  const { title: name, version } = document.info
  const page = referencePage(document)
  const pages = new LRUCache<string, Buffer>({ max: ADDRESSES_MAX })
  return {
    name,
    version,
    json: Buffer.from(JSON.stringify(document)),
    pageAt(address = BASE_ADDRESS) {
      const known = pages.get(address)
      const made = known ?? Buffer.from(page.replaceAll(BASE_ADDRESS, address))
      if (known === undefined) pages.set(address, made)
      return made
    },
    pageHeaders: PAGE_HEADERS,
  }
}
