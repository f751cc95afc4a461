// Which lines of a file, as people read and write them: `95,97-101`. In the order of the file, each line once.

/** Both ends included, counted from 1. */
export type LineRange = { from: number; to: number }

const RANGE = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/

/** Undefined for what says no lines. */
export function parseLineRanges(text: string): LineRange[] | undefined {
  const ranges: LineRange[] = []
  for (const part of text.split(',')) {
    const [, first, last = first] = RANGE.exec(part) ?? []
    const range = { from: Number(first), to: Number(last) }
    if (!(range.from <= range.to)) return undefined
    ranges.push(range)
  }
  return united(ranges)
}

export const lineRangesText = (ranges: readonly LineRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',')

/** In order; what touches or overlaps is one range. */
export function united(ranges: readonly LineRange[]): LineRange[] {
  const whole: LineRange[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}
