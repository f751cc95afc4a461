// The reference page shows the whole contract and needs nothing from elsewhere: no script runs, nothing is
// fetched, and no host that a caller makes up is in its commands.
import { afterAll, describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../contract/errors.ts'
import { OPERATION_IDS, OPERATIONS } from '../../contract/operations.ts'
import { runService } from '../../testing/running-service.ts'
import { openApiDocument } from '../openapi/document.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

const fetchText = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(service.address + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the document is served as JSON and needs no key', async () => {
  const { status, headers, text } = await fetchText('/openapi.json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  // Of another version it may say something else.
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

describe('the reference page', () => {
  test('it shows every operation and explains every error', async () => {
    const { status, text } = await fetchText('/docs')
    expect(status).toBe(200)
    for (const id of OPERATION_IDS) {
      expect(text).toContain(`id="${id}"`)
      expect(text).toContain(`<code>${OPERATIONS[id].path.replace(':id', '{id}')}</code>`)
    }
    for (const code of ERROR_CODES) expect(text).toContain(`id="${code}"`)
  })

  test('every link within it leads somewhere', async () => {
    const { text } = await fetchText('/docs')
    const targets = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter((id) => !targets.has(id))).toEqual([])
  })

  test('it has no script and fetches nothing, and its policy forbids both', async () => {
    const { headers, text } = await fetchText('/docs')
    expect(text).not.toMatch(/<script|<iframe|<img|\son\w+=|url\(|@import/i)
    const addresses = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address)
    const outside = addresses.filter((address) => !/^(\/|data:)/.test(address ?? ''))
    expect(outside).toEqual([])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('its commands name the address under which it was reached', async () => {
    const { text } = await fetchText('/docs')
    expect(text).toContain(`curl -X POST &#39;${service.address}/v1/memories&#39;`)
  })

  test('a host that is no address is not repeated', async () => {
    const { request } = await import('node:http')
    const text = await new Promise<string>((resolve, reject) => {
      request(`${service.address}/docs`, { headers: { host: "a'b$(id)" } }, (answer) => {
        answer.setEncoding('utf8')
        let whole = ''
        answer.on('data', (part: string) => {
          whole += part
        })
        answer.on('end', () => resolve(whole))
      })
        .on('error', reject)
        .end()
    })
    expect(text).not.toContain('$(id)')
  })
})

describe('the root', () => {
  test('a program is told where the descriptions are', async () => {
    const { status, text } = await fetchText('/')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      name: 'Mnemograph',
      version: openApiDocument().info.version,
      documentation: '/docs',
      openapi: '/openapi.json',
    })
  })

  test('a browser is led to the reference page', async () => {
    const { status, headers } = await fetchText('/', { accept: 'text/html,*/*;q=0.8' })
    expect(status).toBe(302)
    expect(headers.get('location')).toBe('/docs')
  })
})
