// Markup that cannot be broken out of: whatever is put into the template is escaped, unless it is
// markup already.

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(
    strings.reduce((text, string, index) => `${text}${render(parts[index - 1])}${string}`),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Paragraphs, separated by empty lines, with code between backticks. */
export const prose = (text: string): Markup[] =>
  text.split('\n\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>`)

export const withCode = (text: string): Markup[] =>
  text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
