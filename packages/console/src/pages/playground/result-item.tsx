// A result; one under the threshold says in words that a search would not return it. "Why?" shows the whole
// text, with the reasons for its score, instead of an excerpt.
import { useState } from 'react'
import type { PlaygroundResult } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { excerpt } from '../../components/cut.ts'
import { EXCERPT_LENGTH, MemoryFacts } from '../memories/memory-list.tsx'
import { score } from './score-scale.tsx'
import { Why } from './why.tsx'

export function ResultItem({ result, isKept }: { result: PlaygroundResult; isKept: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const panel = `why-${result.id}`
  return (
    <li className={isKept ? 'card result kept' : 'card result'} data-kept={isKept}>
      <div className="result-score number">
        <span className="visually-hidden">Score </span>
        {score(result.score)}
        <span className="meter" aria-hidden="true">
          <span style={{ width: `${result.score * 100}%` }} />
        </span>
      </div>
      <div className="result-body">
        {!isKept && <p className="small">Under the threshold: a search would not return it.</p>}
        {!isOpen && (
          <p className="result-text" dir="auto">
            {excerpt(result.content, EXCERPT_LENGTH)}
          </p>
        )}
        {isOpen && (
          <div id={panel}>
            <Why result={result} />
          </div>
        )}
        <MemoryFacts item={result} />
      </div>
      <Button
        size="small"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Less' : 'Why?'}
      </Button>
    </li>
  )
}
