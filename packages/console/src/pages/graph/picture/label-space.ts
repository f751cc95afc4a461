// Where text still fits in the picture. Nodes and labels take room; a label that would cover another one goes
// to the next of its possible places, or is left out. Angled labels count as a row of boxes, which is close
// enough and cheap. Taken room is filed by square of a grid, so that a look-up costs only what is nearby.
export type Box = { left: number; top: number; right: number; bottom: number }
export type Size = { width: number; height: number }
export type Point = { x: number; y: number }

type Taken = Box & { weight: number }

/** Between a node and its label, in pixels. */
const GAP = 3
/** The side of a square of the grid, in pixels. */
const SQUARE = 64

export class LabelSpace {
  #taken = new Map<number, Taken[]>()
  #size: Size = { width: 0, height: 0 }

  clear(size: Size) {
    this.#taken.clear()
    this.#size = size
  }

  /** Room taken without a weight can never be covered. */
  take(boxes: readonly Box[], weight = Infinity) {
    for (const box of boxes) {
      for (const square of this.#squares(box)) {
        const there = this.#taken.get(square)
        if (there) there.push({ ...box, weight })
        else this.#taken.set(square, [{ ...box, weight }])
      }
    }
  }

  /** Whether the boxes lie inside the picture and cover nothing of at least this weight. */
  isFree(boxes: readonly Box[], weight = 0): boolean {
    const stands = (box: Box) => (it: Taken) => it.weight >= weight && meet(box, it)
    const isOpen = (box: Box) =>
      !this.#squares(box).some((square) => this.#taken.get(square)?.some(stands(box)))
    return boxes.every((box) => this.#isInside(box) && isOpen(box))
  }

  /**
   * For a label that has to be shown: the first place inside the picture, or else the first, moved inside.
   */
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

  /** The numbers of the grid's squares that a box reaches into. */
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

/** Where a label's middle may be: below, above, right or left of its node, the best first. */
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

/** A text along a line, as boxes whose side is its height. */
export function along(middle: Point, angle: number, { width, height }: Size): Box[] {
  const count = Math.max(1, Math.ceil(width / height))
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : (index / (count - 1) - 0.5) * (width - height)
    const point = { x: middle.x + Math.cos(angle) * at, y: middle.y + Math.sin(angle) * at }
    return around(point, { width: height, height })
  })
}
