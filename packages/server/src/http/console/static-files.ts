// The built console, read into memory once: what is not among its files cannot be asked for, and a
// path cannot lead out of them. Files whose names carry a hash of their content may be kept for
// ever; the page itself is asked for each time. Every address of the console shows the same page.
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { errorCodeOf } from '../../error-code.ts'
import { NOT_BUILT_PAGE } from './not-built.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
/** In order of preference. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const
const FOR_EVER = 'public, max-age=31536000, immutable'
const HASHED = /^assets\/[^/]+-[\w-]{8,}\.\w+$/

type File = {
  bytes: Buffer
  type: string
  etag: string
  /** For ever, by whoever has it. */
  isKept: boolean
  encoded: Map<string, Buffer>
}

export function serveStaticFiles(app: FastifyInstance, directory: string): void {
  const files = readFiles(directory)
  const page = files.get('index.html')

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = String(Object(request.params)['*'] ?? '')
    const file = files.get(path)
    if (file !== undefined) return send(request, reply, file)
    // An address of the page has no extension; a file that is not there is not the page.
    if (path.startsWith('api/') || path === 'api' || extname(path) !== '') {
      throw new ApiError('NOT_FOUND')
    }
    if (page === undefined) {
      return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT_PAGE)
    }
    return send(request, reply, page)
  }
  app.get('/', answer)
  app.get('/*', answer)
}

function send(request: FastifyRequest, reply: FastifyReply, file: File) {
  reply.header('content-type', file.type).header('vary', 'Accept-Encoding')
  if (file.isKept) {
    reply.header('cache-control', FOR_EVER).header('etag', file.etag)
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  }
  const accepted = String(request.headers['accept-encoding'] ?? '')
  for (const { name } of ENCODINGS) {
    const bytes = file.encoded.get(name)
    if (bytes !== undefined && accepts(accepted, name)) {
      return reply.header('content-encoding', name).send(bytes)
    }
  }
  return reply.send(file.bytes)
}

/** Whether the value of an Accept-Encoding names the encoding, and not to refuse it. */
const accepts = (accepted: string, name: string): boolean =>
  accepted.split(',').some((part) => {
    const [encoding, weight = ''] = part.split(';').map((each) => each.trim().toLowerCase())
    return encoding === name && !/^q=0(\.0*)?$/.test(weight)
  })

/** Nothing at all when the console was not built. */
function readFiles(directory: string): Map<string, File> {
  const contents = new Map<string, Buffer>()
  for (const entry of listFiles(directory)) {
    const path = relative(directory, entry).split(sep).join('/')
    contents.set(path, readFileSync(entry))
  }
  const files = new Map<string, File>()
  for (const [path, bytes] of contents) {
    const type = TYPES[extname(path)]
    if (type === undefined) continue
    const encoded = new Map<string, Buffer>()
    for (const { name, extension } of ENCODINGS) {
      const smaller = contents.get(`${path}${extension}`)
      if (smaller !== undefined) encoded.set(name, smaller)
    }
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`
    files.set(path, { bytes, type, etag, isKept: HASHED.test(path), encoded })
  }
  return files
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return []
    throw error
  }
}
