// The reference page, made from the OpenAPI document: one page of HTML without scripts and without
// anything from elsewhere, so that it also works where the internet does not.
import { ERROR_CODES, ERRORS } from '../../contract/errors.ts'
import { OPERATION_IDS } from '../../contract/operations.ts'
import type { OpenApiDocument } from '../openapi/types.ts'
import { BASE_ADDRESS, KEY_VARIABLE } from './code.ts'
import { html, Markup, prose, withCode } from './html.ts'
import { anchorOf, type Located, methodTag, operationSection } from './operation.ts'
import { STYLE } from './style.ts'

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
  "<circle cx='8' cy='8' r='7' fill='%230f766e'/></svg>"

export function referencePage(document: OpenApiDocument): string {
  const { info, tags } = document
  const groups = tags.map((tag) => ({ tag, operations: operationsOf(document, tag.name) }))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} API</title>
<link rel="icon" href="${ICON}">
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<nav aria-label="Reference">
<p class="brand">${info.title} <span>${info.version}</span></p>
<ul><li><a href="#main">Start</a></li></ul>
${groups.map(
  ({ tag, operations }) => html`
<h2><a href="#${tag.name}">${tag.name}</a></h2>
<ul>${operations.map(navigationItem)}</ul>`,
)}
<h2>Shared</h2>
<ul><li><a href="#headers">Response headers</a></li><li><a href="#errors">Errors</a></li></ul>
</nav>
<main id="main">
${introduction(document)}
${groups.map(
  ({ tag, operations }) => html`
<h2 id="${tag.name}">${tag.name}</h2>
<p>${tag.description}</p>
${operations.map((located) => operationSection(located, document))}`,
)}
${headerTable(document)}
${errorTable()}
</main>
</body>
</html>
`.text
}

/** In the order of the contract, which is not the order of the paths. */
function operationsOf({ paths }: OpenApiDocument, tag: string): Located[] {
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
      .filter(({ operation }) => operation.tags.includes(tag)),
  )
  const order: readonly string[] = OPERATION_IDS
  const rank = ({ operation }: Located) => order.indexOf(operation.operationId)
  return found.sort((one, other) => rank(one) - rank(other))
}

const navigationItem = ({ method, operation }: Located): Markup =>
  html`<li><a href="#${anchorOf(operation)}">${operation.summary} ${methodTag(method)}</a></li>`

const introduction = ({ info }: OpenApiDocument): Markup => html`
<header>
<h1>${info.title} API</h1>
<p class="lead">${info.summary}</p>
<dl class="facts">
<div><dt>Address</dt><dd><code>${BASE_ADDRESS}</code></dd></div>
<div><dt>Version</dt><dd>${info.version}</dd></div>
<div><dt>For programs</dt><dd><a href="/openapi.json">openapi.json</a>, OpenAPI 3.1</dd></div>
<div><dt>License</dt><dd>${info.license.name}</dd></div>
</dl>
${prose(info.description)}
<p>The commands below take the key from a variable of the shell: <code>export ${KEY_VARIABLE}=mng_…</code></p>
</header>`

const headerTable = ({ components }: OpenApiDocument): Markup => html`
<h2 id="headers">Response headers</h2>
<p>Each operation in <a href="/openapi.json">openapi.json</a> tells which of them an answer has.</p>
<dl class="fields wide">${Object.entries(components.headers).map(
  ([name, { description, schema }]) => html`
<div><dt><code>${name}</code> <span class="type">${schema.type}</span></dt><dd>${description}</dd></div>`,
)}</dl>`

const errorTable = (): Markup => html`
<h2 id="errors">Errors</h2>
<p>The body is <code>{"error": {"code": …, "message": …}}</code>. Act on the code; the message is for
people and may change.</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${ERROR_CODES.map(
  (code) => html`
<tr id="${code}"><td>${ERRORS[code].status}</td><th scope="row"><code>${code}</code></th>
<td>${ERRORS[code].message}${withCode(EXTRA[code] ?? '')}</td></tr>`,
)}</tbody>
</table></div>`

const EXTRA: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: ' Adds `field`, unless the body is not a JSON object.',
  RATE_LIMIT_EXCEEDED: ' Adds `retryAfter`, in seconds.',
  QUOTA_EXCEEDED: ' Adds `currentUsage`, `limit` and `resetAt`.',
}
