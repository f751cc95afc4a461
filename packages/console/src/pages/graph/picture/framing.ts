// Fits the places of nodes to the shape of the canvas, so that a wide one is filled: turns them so that their
// longer direction lies along the canvas's longer side, then stretches them within bounds.

/** Stretched further, the picture would distort distances. */
const STRETCH_MAX = 2.2

/** Turns the places so that they lie along the canvas's longer side. */
export function layAlong(places: Float32Array, aspect: number): void {
  const count = places.length / 2
  if (count < 2) return
  let [middleX, middleY] = [0, 0]
  each(places, (x, y) => {
    middleX += x / count
    middleY += y / count
  })
  let [xx, yy, xy] = [0, 0, 0]
  each(places, (x, y) => {
    xx += (x - middleX) ** 2
    yy += (y - middleY) ** 2
    xy += (x - middleX) * (y - middleY)
  })
  const longest = Math.atan2(2 * xy, xx - yy) / 2
  // Two turns, half a turn apart, would do: the smaller one stays closer to what the reader saw.
  const wanted = aspect >= 1 ? 0 : (Math.PI / 2) * (longest < 0 ? -1 : 1)
  const [cos, sin] = [Math.cos(wanted - longest), Math.sin(wanted - longest)]
  change(places, (x, y) => [
    (x - middleX) * cos - (y - middleY) * sin,
    (x - middleX) * sin + (y - middleY) * cos,
  ])
}

/** Stretches the places towards the canvas's ratio of width to height. */
export function spread(places: Float32Array, aspect: number): void {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  each(places, (x, y) => {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  })
  const [width, height] = [right - left, bottom - top]
  if (!(width > 0 && height > 0)) return
  const stretch = (aspect * height) / width
  const bounded = Math.min(STRETCH_MAX, Math.max(1 / STRETCH_MAX, stretch))
  change(places, (x, y) => (bounded > 1 ? [x * bounded, y] : [x, y / bounded]))
}

function each(places: Float32Array, see: (x: number, y: number) => void): void {
  for (let at = 0; at < places.length; at += 2) see(places[at] ?? 0, places[at + 1] ?? 0)
}

function change(places: Float32Array, to: (x: number, y: number) => [number, number]): void {
  for (let at = 0; at < places.length; at += 2) {
    places.set(to(places[at] ?? 0, places[at + 1] ?? 0), at)
  }
}
