// Why a memory has its score: the best sentence of its text, the question's words that it has, and the share
// of each kind of evidence.
import type { Explanation, PlaygroundResult } from '../../api/contract.ts'

type Kind = Explanation['parts'][number]['kind']

const KIND_TEXTS: Readonly<Record<Kind, { name: string; hint: string }>> = {
  meaning: { name: 'Meaning', hint: 'how near the model puts the two texts' },
  words: { name: 'Words', hint: 'words of the question that the text has, the rare ones first' },
  names: { name: 'Names', hint: 'names, codes and numbers that match exactly' },
  askingMemory: {
    name: 'A question',
    hint: 'the memory itself only asks, which takes a little away',
  },
}
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent' })

export function Why({ result }: { result: PlaygroundResult }) {
  const { content, explanation } = result
  if (explanation === null) {
    return (
      <>
        <p className="why-text">{content}</p>
        <p className="quiet small">The server gives no reasons for this score.</p>
      </>
    )
  }
  return (
    <div className="stack">
      <Highlighted content={content} sentence={explanation.sentence} />
      <div className="why-columns">
        <Parts parts={explanation.parts} />
        <Terms terms={explanation.terms} />
      </div>
    </div>
  )
}

const Highlighted = ({
  content,
  sentence: { start, end },
}: {
  content: string
  sentence: Explanation['sentence']
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
  <section className="why-text" tabIndex={0} aria-label="Text" dir="auto">
    {content.slice(0, start)}
    <mark data-testid="best-sentence">{content.slice(start, end)}</mark>
    {content.slice(end)}
  </section>
)

function Parts({ parts }: { parts: Explanation['parts'] }) {
  return (
    <section aria-label="Shares of the evidence">
      <h3>What the score is made of</h3>
      <div className="shares" aria-hidden="true">
        {parts.map(({ kind, share }, index) => (
          <span key={kind} className={`part-${index % 4}`} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul className="parts">
        {parts.map(({ kind, value, share }, index) => (
          <li key={kind}>
            <i className={`part-${index % 4}`} aria-hidden="true" />
            <span>
              {KIND_TEXTS[kind].name} <span className="quiet small">{KIND_TEXTS[kind].hint}</span>
            </span>
            <span className="number" title={`value ${value}`}>
              {value < 0 ? '−' : PERCENT.format(share)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Terms({ terms }: { terms: Explanation['terms'] }) {
  const heaviest = Math.max(...terms.map(({ weight }) => weight), Number.EPSILON)
  return (
    <section aria-label="Words of the question">
      <h3>Words of the question</h3>
      {terms.length === 0 ? (
        <p className="quiet small">None that could be matched.</p>
      ) : (
        <ul className="terms">
          {terms.map(({ text, isMatched, weight }) => (
            <li key={text} className={isMatched ? 'matched' : ''}>
              <span>{text}</span>
              <span className="quiet small">{isMatched ? 'matched' : 'not in the text'}</span>
              <span className="meter" title={`weight ${weight.toFixed(2)}`}>
                <span style={{ width: `${(weight / heaviest) * 100}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
