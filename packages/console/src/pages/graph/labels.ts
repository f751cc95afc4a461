// The labels of the picture: names of entities where they do not cover one another, the main ones
// first, and the types of relations on lines that are long enough for them. In a crowd the main
// names may cover lesser nodes: hubs stand where it is densest, and would be the ones without a name.
// The one that is pointed at or chosen shows its names in any case.
import { excerpt } from '../../components/cut.ts'
import type { Colours } from './colours.ts'
import {
  along,
  around,
  type Box,
  LabelSpace,
  type Point,
  placesAround,
  type Size,
} from './label-space.ts'

/** As much of what sigma hands to its drawing functions as is needed here. */
type Node = Point & { size: number }
type NamedNode = Node & {
  key: string
  label: string | null
  forceLabel: boolean
  /** Lowest of those that are dim. */
  zIndex: number
}
type NamedEdge = { key: string; label: string | null; forceLabel: boolean }
/** What is in the picture before any label. */
type Surroundings = { size: Size; nodes: readonly Node[]; controls: Box }
type Fonts = {
  labelSize: number
  labelFont: string
  labelWeight: string
  edgeLabelSize: number
  edgeLabelFont: string
}

/** Where nodes lie that are dim, below all others: what is looked at is elsewhere. */
export const DIM = 0

const LABEL_LENGTH_MAX = 42
/** Of a name on its background, in pixels at each side. */
const HALO = 3
/** Room at each end of a relation's type, for the arrow. */
const ENDS = 6
/** So many names are tried in one picture: what is left of more is small, and shows its name nearer by. */
const NAMES_TRIED = 400
/** Of the picture, in square pixels, for each name that may cover lesser nodes. */
const ROOM_OF_MAIN = 26_000
/** Around such a name no other one stands, in pixels, so that the nodes between them can be seen. */
const APART = { width: 24, height: 14 }
/** Where on its line a relation's type may stand, from its source (0) to its target (1). */
const STANDS = [0.5, 0.42, 0.58, 0.34, 0.66]

export class Labels {
  readonly #space = new LabelSpace()
  readonly #colours: () => Colours
  readonly #surroundings: () => Surroundings
  #isSpaceKnown = false
  #mainNames = 0
  readonly #widths = new Map<string, number>()
  #waiting: { context: CanvasRenderingContext2D; node: NamedNode; fonts: Fonts }[] = []
  readonly #places = new Map<string, Point>()
  readonly #drawnEdges = new Set<string>()

  /** The surroundings are asked for once in each picture, when its nodes have their places in it. */
  constructor(colours: () => Colours, surroundings: () => Surroundings) {
    this.#colours = colours
    this.#surroundings = surroundings
  }

  /** Before each picture: of another size of the window, and of nodes that moved, sigma does not know yet. */
  begin() {
    this.#isSpaceKnown = false
    this.#waiting = []
    this.#places.clear()
    this.#drawnEdges.clear()
  }

  /** Called by sigma in its own order; drawn in ours once all are known. */
  drawNode = (context: CanvasRenderingContext2D, node: NamedNode, fonts: Fonts) => {
    if (node.label) this.#waiting.push({ context, node, fonts })
  }

  /** All names that wait. The types of relations come after them and keep clear of them. */
  finish() {
    this.#lookRound()
    const inOrder = this.#waiting.sort(
      ({ node: a }, { node: b }) =>
        Number(b.forceLabel) - Number(a.forceLabel) || b.zIndex - a.zIndex || b.size - a.size,
    )
    this.#waiting = []
    for (const [order, { context, node, fonts }] of inOrder.slice(0, NAMES_TRIED).entries()) {
      const { text, size } = this.#strong(context, node, fonts)
      const places = placesAround(node, size)
      const apart = { width: size.width + APART.width, height: size.height + APART.height }
      const isFree = (place: Point) => this.#space.isFree([around(place, size)])
      const isFreeOfMain = (place: Point) =>
        this.#space.isFree([around(place, size)], node.size) &&
        this.#space.isFree([around(place, apart)], Infinity)
      const place =
        places.find(isFree) ??
        (order < this.#mainNames ? places.find(isFreeOfMain) : undefined) ??
        (node.forceLabel ? this.#space.forced(places, size) : undefined)
      if (place === undefined) continue
      this.#space.take([around(place, size)])
      this.#places.set(node.key, place)
      context.font = `${fonts.labelWeight} ${fonts.labelSize}px ${fonts.labelFont}`
      const { text: strong, quiet } = this.#colours()
      this.#write(context, text, place, node.zIndex === DIM ? quiet : strong)
    }
  }

  drawHover = (context: CanvasRenderingContext2D, node: NamedNode, fonts: Fonts) => {
    this.finish()
    context.beginPath()
    context.arc(node.x, node.y, node.size + 4, 0, Math.PI * 2)
    context.lineWidth = 2
    context.strokeStyle = this.#colours().accent
    context.stroke()
    if (!node.label) return
    const { text, size } = this.#strong(context, node, fonts)
    const place = this.#places.get(node.key) ?? this.#space.forced(placesAround(node, size), size)
    this.#write(context, text, place, this.#colours().text)
  }

  drawEdge = (
    context: CanvasRenderingContext2D,
    edge: NamedEdge,
    source: Node,
    target: Node,
    fonts: Fonts,
  ) => {
    this.finish()
    if (!edge.label) return
    const dx = target.x - source.x
    const dy = target.y - source.y
    const length = Math.hypot(dx, dy)
    const room = length - source.size - target.size - 2 * ENDS
    context.font = `${fonts.edgeLabelSize}px ${fonts.edgeLabelFont}`
    const text = edge.forceLabel ? fitting(context, edge.label, room) : edge.label
    const size = { width: context.measureText(text).width, height: fonts.edgeLabelSize + 2 }
    if (text === '' || size.width > room) return
    // Never upside down.
    const angle = dx === 0 ? Math.PI / 2 : Math.atan(dy / dx)
    for (const stand of STANDS) {
      const place = { x: source.x + dx * stand, y: source.y + dy * stand }
      const isOnLine = size.width / 2 <= room / 2 - Math.abs(stand - 0.5) * length
      const boxes = along(place, angle, size)
      // Hovering draws the types of relations alone once more: each may stand where it stood.
      const isAgain = this.#drawnEdges.has(edge.key)
      if (!isOnLine || !(isAgain || this.#space.isFree(boxes))) continue
      this.#space.take(boxes)
      this.#drawnEdges.add(edge.key)
      context.save()
      context.translate(place.x, place.y)
      context.rotate(angle)
      const { text: strong, quiet, raised } = this.#colours()
      // The halo of an underscore does not reach up to the line.
      context.fillStyle = raised
      context.fillRect(-size.width / 2, -size.height / 2, size.width, size.height)
      this.#write(context, text, { x: 0, y: 0 }, edge.forceLabel ? strong : quiet)
      context.restore()
      return
    }
  }

  #lookRound() {
    if (this.#isSpaceKnown) return
    this.#isSpaceKnown = true
    const { size, nodes, controls } = this.#surroundings()
    this.#mainNames = (size.width * size.height) / ROOM_OF_MAIN
    this.#space.clear(size)
    this.#space.take([controls])
    for (const node of nodes) this.#space.take([disc(node)], node.size)
  }

  /**
   * A name, the room it takes, and its font set. It is the stronger one in which the chosen name is written:
   * every name has the room for it, and stays where it is when it is chosen.
   */
  #strong(context: CanvasRenderingContext2D, { label }: NamedNode, fonts: Fonts) {
    context.font = `700 ${fonts.labelSize}px ${fonts.labelFont}`
    const text = excerpt(label ?? '', LABEL_LENGTH_MAX)
    // Measuring is most of the work, and names are written again in every picture of a movement.
    const width = this.#widths.get(text) ?? context.measureText(text).width
    this.#widths.set(text, width)
    return { text, size: { width: width + 2 * HALO, height: fonts.labelSize + HALO } }
  }

  #write(context: CanvasRenderingContext2D, text: string, { x, y }: Point, colour: string) {
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    context.lineWidth = 2 * HALO
    context.strokeStyle = this.#colours().raised
    context.fillStyle = colour
    context.strokeText(text, x, y)
    context.fillText(text, x, y)
    context.textAlign = 'start'
    context.textBaseline = 'alphabetic'
  }
}

const disc = (node: Node) => around(node, { width: 2 * node.size, height: 2 * node.size })

/** As much of a type as the line has room for; nothing when that would say nothing. */
function fitting(context: CanvasRenderingContext2D, label: string, room: number): string {
  const width = context.measureText(label).width
  if (width <= room) return label
  // The ellipsis, and one place more: no letter is of the mean width.
  const length = Math.floor((label.length * room) / width) - 2
  return length < 3 ? '' : excerpt(label, length)
}
