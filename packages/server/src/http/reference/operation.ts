// One operation on the page: what it does and takes on the left, a request and its answer on the
// right.
import type { Json, Media, OpenApiDocument, OperationObject } from '../openapi/types.ts'
import { coloured, curl } from './code.ts'
import { answerRows, answerTable, bodyRows, inputTable, parameterRows, type Row } from './fields.ts'
import { html, type Markup, prose } from './html.ts'

export type Located = { method: string; path: string; operation: OperationObject }

export const anchorOf = ({ operationId }: OperationObject): string => operationId

export const methodTag = (method: string): Markup =>
  html`<b class="method ${method.toLowerCase()}">${method}</b>`

export function operationSection(located: Located, document: OpenApiDocument): Markup {
  const { method, path, operation } = located
  const { schemas } = document.components
  const body = operation.requestBody?.content['application/json'].schema
  const success = successOf(operation)
  const named = (place: string) => parameterRows(inPlace(operation, place))
  return html`
<section class="operation" id="${anchorOf(operation)}" aria-labelledby="${anchorOf(operation)}-title">
<div class="said">
<h3 id="${anchorOf(operation)}-title">${operation.summary}</h3>
<p class="address">${methodTag(method)} <code>${path}</code></p>
${prose(operation.description)}
${block('Path', named('path'))}
${block('Query', named('query'))}
${body && block('Body', bodyRows(body, schemas))}
${block('Headers', named('header'))}
<details><summary>Fields of the answer</summary>
${answerTable(answerRows(success.media.schema, schemas))}</details>
<h4>Errors</h4>
<p class="codes">${errorCodes(operation)}</p>
</div>
<div class="shown">${exchanges(located, success)}</div>
</section>`
}

const block = (title: string, rows: readonly Row[]): Markup | undefined =>
  rows.length === 0 ? undefined : html`<h4>${title}</h4>${inputTable(rows)}`

const inPlace = ({ parameters = [] }: OperationObject, place: string) =>
  parameters.filter((parameter) => parameter.in === place)

function successOf({ responses }: OperationObject): { status: string; media: Media } {
  for (const [status, { content }] of Object.entries(responses)) {
    if (status.startsWith('2')) return { status, media: content['application/json'] }
  }
  throw new Error('An operation without a success cannot be shown.')
}

function errorCodes({ responses }: OperationObject): Markup[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => Object.keys(content['application/json'].examples ?? {}))
    .map((code) => html`<a href="#${code}">${code}</a> `)
}

function exchanges({ method, path, operation }: Located, success: ReturnType<typeof successOf>) {
  const bodies = operation.requestBody?.content['application/json'].examples ?? {}
  const query = Object.fromEntries(
    inPlace(operation, 'query').flatMap(({ name, example }): [string, Json][] =>
      example === undefined ? [] : [[name, example]],
    ),
  )
  const [id] = inPlace(operation, 'path')
  const filled = path.replace('{id}', String(id?.example))
  return Object.entries(success.media.examples ?? {}).map(
    ([name, { summary, value }]) => html`
<figure><figcaption>${summary}</figcaption>
<pre class="request"><code>${curl(method, filled, { query, body: bodies[name]?.value })}</code></pre>
<pre aria-label="Answer"><span class="status">${success.status}</span><code>${coloured(value)}</code></pre>
</figure>`,
  )
}
