// Where to look in order to see some points of a picture: not from further away than the whole of it, not too
// near, and from where one looks already as long as they are seen well from there.
import type { Point, Size } from './label-space.ts'

/** Of the whole picture, the part that is shown at the nearest. */
const NEAREST = 0.2
/** A look that would come no nearer than to this is not worth a movement. */
const WORTH_IT = 0.7

/** Points, room round them and the middle are in pixels; a ratio of 1 shows the whole picture. */
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
