// Where to move the camera so that some points of a picture are seen well: never further out than the whole
// picture, never too far in, and not at all if they are seen well already.
import type { Point, Size } from './label-space.ts'

/** The smallest share of the picture that is zoomed in on. */
const NEAREST = 0.2
/** Only a ratio below this share of the present one is worth a movement. */
const WORTH_IT = 0.7

/** Points, padding and the middle are in pixels; a ratio of 1 shows the whole picture. Undefined: stay. */
export function viewOf(
  points: readonly Point[],
  { width, height }: Size,
  padding: number,
  ratio: number,
): { middle: Point; ratio: number } | undefined {
  if (points.length === 0) return undefined
  const across = range(points.map(({ x }) => x))
  const down = range(points.map(({ y }) => y))
  const share = Math.max(
    across.length / Math.max(1, width - 2 * padding),
    down.length / Math.max(1, height - 2 * padding),
  )
  const wanted = Math.min(1, Math.max(NEAREST, ratio * share))
  const isSeen = across.least >= 0 && across.most <= width && down.least >= 0 && down.most <= height
  if (isSeen && wanted > ratio * WORTH_IT) return undefined
  return { middle: { x: across.middle, y: down.middle }, ratio: wanted }
}

function range(values: readonly number[]) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return { least, most, middle: (least + most) / 2, length: most - least }
}
