// Every result as a dot on a scale from 0 to 1, and the threshold as a line to be dragged with a pointer or
// moved with the arrow keys.
import { Slider } from '@base-ui/react/slider'
import { useRef } from 'react'
import type { PlaygroundResult } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { count, number } from '../../components/number.ts'

const TICKS = [0, 0.25, 0.5, 0.75, 1]
/** Dots nearer than this to one another are stacked. */
const DOT_WIDTH = 0.012
const LANES = 5
const LANE_REM = 0.8
const LOWEST_LANE_REM = 0.35

/**
 * Cut, not rounded: a score under the threshold must not seem to reach it, nor a similar text to be the same.
 */
export const score = (value: number) =>
  (Math.floor(Math.round(value * 10_000) / 100) / 100).toFixed(2)

export function ScoreScale({
  results,
  threshold,
  defaultThreshold,
  onThreshold,
}: {
  results: readonly PlaygroundResult[]
  threshold: number
  defaultThreshold: number
  onThreshold: (threshold: number) => void
}) {
  const thumb = useRef<HTMLInputElement>(null)
  // The button vanishes when it is pressed.
  const reset = () => {
    onThreshold(defaultThreshold)
    thumb.current?.focus()
  }
  const kept = results.filter((result) => result.score >= threshold).length
  return (
    <div className="card stack scale-card">
      <div className="row apart">
        <p role="status">
          <strong className="number">{number(kept)}</strong> of {count(results.length, 'result')}{' '}
          {kept === 1 || results.length === 1 ? 'reaches' : 'reach'}{' '}
          <span className="number">{score(threshold)}</span>
        </p>
        {/* Its room is always there: else the scale would move from under the pointer that drags on it. */}
        <Button
          size="small"
          onClick={reset}
          style={{ visibility: threshold === defaultThreshold ? 'hidden' : 'visible' }}
        >
          Back to {score(defaultThreshold)}
        </Button>
      </div>
      <Slider.Root
        min={0}
        max={1}
        step={0.01}
        largeStep={0.1}
        value={threshold}
        onValueChange={(value) => onThreshold(value)}
      >
        <Slider.Control className="scale">
          <Slider.Track className="scale-track">
            <span className="scale-kept" style={{ insetInlineStart: `${threshold * 100}%` }} />
            {lanes(results.map((result) => result.score)).map(({ at, lane }, index) => (
              <i
                key={results[index]?.id}
                className={at >= threshold ? 'dot kept' : 'dot'}
                style={{
                  insetInlineStart: `${at * 100}%`,
                  bottom: `${LOWEST_LANE_REM + lane * LANE_REM}rem`,
                }}
              />
            ))}
            <Slider.Thumb className="threshold" aria-label="Threshold" inputRef={thumb}>
              <span className="threshold-value number">{score(threshold)}</span>
            </Slider.Thumb>
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
      <div className="scale-ticks number" aria-hidden="true">
        {TICKS.map((tick) => (
          <span key={tick} style={{ insetInlineStart: `${tick * 100}%` }}>
            {tick}
          </span>
        ))}
      </div>
    </div>
  )
}

/** A lane for each score, so that dots close together are stacked instead of hiding each other. */
export function lanes(scores: readonly number[]): { at: number; lane: number }[] {
  const ends: number[] = Array(LANES).fill(Number.NEGATIVE_INFINITY)
  const placed = scores.map((at) => ({ at, lane: 0 }))
  for (const dot of placed.toSorted((a, b) => a.at - b.at)) {
    const free = ends.findIndex((end) => dot.at - end >= DOT_WIDTH)
    dot.lane = free === -1 ? LANES - 1 : free
    ends[dot.lane] = dot.at
  }
  return placed
}
