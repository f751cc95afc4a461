/**
 * Every answer that a case file receives is compared with what the server says about itself: the
 * status and the body against the served OpenAPI document, and the headers that every answer has
 * to carry. Departures are collected and reported once, after the file's last case, so that a
 * wrong document does not hide what the cases themselves find.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { afterAll } from 'vitest'
import type { Answer } from './answer.ts'
import { read } from './read.ts'

const Operations = Type.Record(Type.String(), Type.Unknown())
const Responses = Type.Object({ responses: Type.Record(Type.String(), Type.Unknown()) })
const OpenApi = Type.Object({
  openapi: Type.String(),
  paths: Type.Record(Type.String(), Operations),
})

const universalHeaders = [
  ['x-request-id', /^\S{8,}$/],
  ['x-ratelimit-limit', /^\d+$/],
  ['x-ratelimit-remaining', /^\d+$/],
  ['x-ratelimit-reset', /^\d{10}$/],
] as const

const departures = new Set<string>()
const documents = new Map<string, Promise<ServedDocument | undefined>>()

afterAll(() => {
  if (departures.size > 0) {
    throw new Error(`Answers depart from the served document:\n${[...departures].join('\n')}`)
  }
})

/** The document of one server, with a validator for each answer that it describes. */
export class ServedDocument {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  readonly #paths: Record<string, Record<string, unknown>>

  constructor(document: unknown) {
    this.#paths = read(OpenApi, document).paths
    if (typeof document === 'object' && document !== null) {
      this.#ajv.addSchema(document, 'served')
    }
  }

  /** The template that a path belongs to, or undefined when the document has none. */
  template(path: string): string | undefined {
    const bare = path.split('?')[0] ?? ''
    if (bare in this.#paths) return bare
    return Object.keys(this.#paths).find((template) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    )
  }

  /** What is wrong with an answer, in words; undefined when the document says nothing of it. */
  problem(method: string, path: string, answer: Answer): string | undefined {
    const template = this.template(path)
    const verb = method.toLowerCase()
    const described = template === undefined ? undefined : this.#paths[template]?.[verb]
    if (template === undefined || described === undefined) return undefined
    const { responses } = read(Responses, described)
    if (!(`${answer.status}` in responses)) return `status ${answer.status} is not documented`
    const pointer = ['paths', template, verb, 'responses', `${answer.status}`]
    const schema = pointer.concat('content', 'application/json', 'schema')
    return this.violation(schema, answer.body)
  }

  /** Validates a value against the schema at a place in the document. */
  violation(place: readonly string[], value: unknown): string | undefined {
    const steps = place.map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const validate = this.#ajv.getSchema(`served#/${steps.join('/')}`)
    if (validate === undefined) return `no schema at ${place.join(' > ')}`
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors)
  }
}

/** The document of the server at this address; undefined, and reported, when it serves none. */
function servedDocument(url: string): Promise<ServedDocument | undefined> {
  const known = documents.get(url)
  if (known !== undefined) return known
  const fetched = fetch(`${url}/openapi.json`).then(async (response) => {
    if (response.ok) return new ServedDocument(await response.json())
    departures.add(`there is no document: GET /openapi.json is ${response.status}`)
    return undefined
  })
  documents.set(url, fetched)
  return fetched
}

export async function observe(
  url: string,
  method: string,
  path: string,
  answer: Answer,
): Promise<void> {
  if (!path.startsWith('/v1')) return
  const report = (problem: string) =>
    departures.add(`${method} ${path.split('?')[0]?.slice(0, 60)} ${answer.status}: ${problem}`)
  for (const [name, pattern] of universalHeaders) {
    if (!pattern.test(answer.headers.get(name) ?? '')) report(`${name} is missing or malformed`)
  }
  if (method !== 'HEAD' && answer.body === undefined) report('the body is not JSON')
  const document = await servedDocument(url)
  const problem = method === 'HEAD' ? undefined : document?.problem(method, path, answer)
  if (problem !== undefined) report(problem)
}
