// Where text still fits in the picture. What is drawn takes its room; a label that would lie over
// another one goes to the next of its places or is left out. Angled labels are taken as a row of
// squares, which is near enough and costs little. Room is kept by squares of the picture, so that
// thousands of nodes cost no more than those nearby.
export type Box = { left: number; top: number; right: number; bottom: number }
export type Size = { width: number; height: number }
export type Point = { x: number; y: number }

type Taken = Box & { weight: number }

/** Between a node and its label, in pixels. */
const GAP = 3
/** The squares by which room is kept, in pixels. */
const SQUARE = 64

export class LabelSpace {
  #taken = new Map<number, Taken[]>()
  #size: Size = { width: 0, height: 0 }

  clear(size: Size) {
    this.#taken.clear()
    this.#size = size
  }

  /** Without a weight nothing may ever lie over it. */
  take(boxes: readonly Box[], weight = Infinity) {
    for (const box of boxes) {
      for (const square of this.#squares(box)) {
        const there = this.#taken.get(square)
        if (there) there.push({ ...box, weight })
        else this.#taken.set(square, [{ ...box, weight }])
      }
    }
  }

  /** What has less than this weight may be covered. */
  isFree(boxes: readonly Box[], weight = 0): boolean {
    const stands = (box: Box) => (it: Taken) => it.weight >= weight && meet(box, it)
    const isOpen = (box: Box) =>
      !this.#squares(box).some((square) => this.#taken.get(square)?.some(stands(box)))
    return boxes.every((box) => this.#isInside(box) && isOpen(box))
  }

  /** Of a label that has to be shown: the first place inside the picture, or the first one moved inside. */
  forced(places: readonly [Point, ...Point[]], size: Size): Point {
    const [first] = places
    const moved = (middle: number, length: number, room: number) =>
      Math.max(length / 2, Math.min(middle, room - length / 2))
    return (
      places.find((place) => this.#isInside(around(place, size))) ?? {
        x: moved(first.x, size.width, this.#size.width),
        y: moved(first.y, size.height, this.#size.height),
      }
    )
  }

  /** Numbers of those inside the picture that a box reaches into. */
  #squares({ left, top, right, bottom }: Box): number[] {
    const across = (at: number) => Math.floor(at / SQUARE)
    const columns = across(this.#size.width) + 1
    const numbers: number[] = []
    const last = across(Math.min(bottom, this.#size.height))
    for (let row = across(Math.max(0, top)); row <= last; row++) {
      const end = across(Math.min(right, this.#size.width))
      for (let column = across(Math.max(0, left)); column <= end; column++) {
        numbers.push(row * columns + column)
      }
    }
    return numbers
  }

  #isInside = ({ left, top, right, bottom }: Box) =>
    left >= 0 && top >= 0 && right <= this.#size.width && bottom <= this.#size.height
}

const meet = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

export const around = ({ x, y }: Point, { width, height }: Size): Box => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
})

/** The middles of a label below, above, right and left of its node: the first one that is free is best. */
export function placesAround(
  node: Point & { size: number },
  { width, height }: Size,
): [Point, Point, Point, Point] {
  const down = node.size + GAP + height / 2
  const aside = node.size + GAP + width / 2
  return [
    { x: node.x, y: node.y + down },
    { x: node.x, y: node.y - down },
    { x: node.x + aside, y: node.y },
    { x: node.x - aside, y: node.y },
  ]
}

/** A text along a line, as squares of its height. */
export function along(middle: Point, angle: number, { width, height }: Size): Box[] {
  const count = Math.max(1, Math.ceil(width / height))
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : (index / (count - 1) - 0.5) * (width - height)
    const point = { x: middle.x + Math.cos(angle) * at, y: middle.y + Math.sin(angle) * at }
    return around(point, { width: height, height })
  })
}
