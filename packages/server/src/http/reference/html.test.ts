import { expect, test } from 'vitest'
import { html, prose } from './html.ts'

test('a value cannot break out of text or of an attribute', () => {
  const value = `<b title="x" class='y'>&`
  expect(html`<p title="${value}">${value}</p>`.text).toBe(
    '<p title="&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;">' +
      '&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;</p>',
  )
})

test('markup within markup is not escaped again, and nothing is shown for what is absent', () => {
  expect(
    html`<ul>${['a', 'b&c'].map((item) => html`<li>${item}</li>`)}${undefined}</ul>`.text,
  ).toBe('<ul><li>a</li><li>b&amp;c</li></ul>')
})

test('prose has paragraphs and code, and is escaped like any value', () => {
  const [first, second] = prose('Send `<key>`.\n\nThen <wait>.')
  expect(first?.text).toBe('<p>Send <code>&lt;key&gt;</code>.</p>')
  expect(second?.text).toBe('<p>Then &lt;wait&gt;.</p>')
})
