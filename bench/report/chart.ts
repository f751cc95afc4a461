// Latency against the number of memories as an SVG with logarithmic axes, and a panel for each kind of
// search. Lines differ in marker and label as well as in colour, and the colours are readable on light and
// dark paper.
import type { ChartPoint, Figure } from './figure.ts'
import { plain, withCommas } from './figure.ts'

type Point = ChartPoint & { ms: number }
type Line = { who: string; points: Point[] }

const PANELS = [
  ['no filter', 'No filter'],
  ['two tags, 6 %', 'Two tags, 6 % of the memories'],
] as const
const SIZE = { width: 440, height: 380 }
const PLOT = { left: 64, right: 138, top: 48, bottom: 52 }
const LABEL_HEIGHT = 15
/** On light paper and on dark. */
const COLOURS = [
  ['#08734c', '#3fcf97'],
  ['#b04a05', '#f59e4c'],
  ['#5b46c9', '#a99bf7'],
  ['#a8246a', '#f07db4'],
  ['#1f6fb8', '#6cb6ff'],
  ['#5f6670', '#b1bac4'],
] as const
const colours = (paper: 0 | 1): string =>
  COLOURS.map((pair, place) => `.c${place}{--c:${pair[paper]}}`).join('')
const STYLE = `text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:14px}
.grid{stroke:#8b949e;stroke-opacity:.3}.line{fill:none;stroke:var(--c);stroke-width:1.5}
.own{stroke-width:3}.mark{fill:var(--c)}text.label{fill:var(--c)}
${colours(0)}
@media(prefers-color-scheme:dark){text{fill:#a5afba}${colours(1)}}`

/** Draws the figures that have a point. */
export function chartOf(figures: readonly Figure[]): string {
  const measured = figures.flatMap(({ point, value }) =>
    point === undefined || value === undefined ? [] : [{ ...point, ms: value }],
  )
  // The store is measured again in turns with the peers: of two figures for one point the later one counts.
  const keyOf = ({ who, filter, memories }: Point) => `${who} ${filter} ${memories}`
  const points = [...new Map(measured.map((point) => [keyOf(point), point])).values()]
  const names = [...new Set(points.map(({ who }) => who))]
  const panels = PANELS.map(([filter, title], place) => {
    const own = points.filter((point) => point.filter === filter)
    return `<g transform="translate(${place * SIZE.width} 0)">${panel(title, own, points, names)}</g>`
  })
  const width = PANELS.length * SIZE.width
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${SIZE.height}" role="img" aria-labelledby="title">
<title id="title">Median latency of a search against the number of memories</title>
<style>${STYLE}</style>
${panels.join('\n')}
</svg>
`
}

/** Both panels have the scales of all points, so that they can be compared. */
function panel(title: string, own: Point[], all: Point[], names: readonly string[]): string {
  const x = scaleOf(
    all.map(({ memories }) => memories),
    [PLOT.left, SIZE.width - PLOT.right],
  )
  const y = scaleOf(
    all.map(({ ms }) => ms),
    [SIZE.height - PLOT.bottom, PLOT.top],
  )
  const lines = names
    .map((who): Line => ({ who, points: ofOne(own, who) }))
    .filter(({ points }) => points.length > 0)
  const labelled = labels(lines, y.at)
  return [
    `<text class="title" x="${PLOT.left}" y="22">${title}</text>`,
    `<text x="${PLOT.left}" y="38">ms, median</text>`,
    ...y.ticks.map(
      (ms) =>
        `<path class="grid" d="M${PLOT.left} ${y.at(ms)}H${SIZE.width - PLOT.right}"/>` +
        `<text text-anchor="end" x="${PLOT.left - 8}" y="${y.at(ms) + 4}">${plain(ms)}</text>`,
    ),
    ...x.ticks.map(
      (memories) =>
        `<path class="grid" d="M${x.at(memories)} ${PLOT.top}V${SIZE.height - PLOT.bottom}"/>` +
        `<text text-anchor="middle" x="${x.at(memories)}" y="${SIZE.height - PLOT.bottom + 18}">${withCommas(memories)}</text>`,
    ),
    `<text text-anchor="middle" x="${(PLOT.left + SIZE.width - PLOT.right) / 2}" y="${SIZE.height - 12}">memories</text>`,
    ...lines.map((each) => drawn(each, names.indexOf(each.who), x.at, y.at)),
    ...labelled.map(
      ({ who, at }) =>
        `<text class="label ${colourOf(names.indexOf(who))}" x="${SIZE.width - PLOT.right + 10}" y="${at + 4}">${who}</text>`,
    ),
  ].join('\n')
}

const ofOne = (points: readonly Point[], who: string): Point[] =>
  points.filter((point) => point.who === who).sort((a, b) => a.memories - b.memories)

const colourOf = (place: number): string => `c${place % COLOURS.length}`

type At = (value: number) => number

function drawn({ who, points }: Line, place: number, x: At, y: At): string {
  const colour = colourOf(place)
  const path = points.map(({ memories, ms }, n) => `${n === 0 ? 'M' : 'L'}${x(memories)} ${y(ms)}`)
  const markers = points.map(({ memories, ms }) => {
    const said = `<title>${who}, ${withCommas(memories)} memories: ${plain(ms)} ms</title>`
    return marker(place, x(memories), y(ms), colour, said)
  })
  return `<path class="line ${colour}${place === 0 ? ' own' : ''}" d="${path.join('')}"/>${markers.join('')}`
}

function marker(place: number, x: number, y: number, colour: string, said: string): string {
  const shapes = [
    `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`,
    `M${x - 4} ${y - 4}h8v8h-8z`,
    `M${x} ${y - 5}l5 9h-10z`,
    `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
    `M${x} ${y + 5}l5 -9h-10z`,
  ]
  return `<path class="mark ${colour}" d="${shapes[place % shapes.length]}">${said}</path>`
}

/** A label at the end of each line, moved down where two would overlap. */
function labels(lines: readonly Line[], y: At): { who: string; at: number }[] {
  const wanted = lines
    .map(({ who, points }) => ({ who, at: y(points.at(-1)?.ms ?? 1) }))
    .sort((a, b) => a.at - b.at)
  let free = Number.NEGATIVE_INFINITY
  return wanted.map(({ who, at }) => {
    const moved = Math.max(at, free)
    free = moved + LABEL_HEIGHT
    return { who, at: moved }
  })
}

/** A logarithmic scale from whole power of ten to whole power of ten around the values. */
function scaleOf(values: readonly number[], [from, to]: [number, number]) {
  const logs = values.map(Math.log10)
  const least = Math.floor(Math.min(...logs, 6))
  const most = Math.max(Math.ceil(Math.max(...logs, -6)), least + 1)
  const ticks = Array.from({ length: most - least + 1 }, (_, step) => 10 ** (least + step))
  const at = (value: number): number =>
    Math.round((from + ((Math.log10(value) - least) / (most - least)) * (to - from)) * 10) / 10
  return { ticks, at }
}
