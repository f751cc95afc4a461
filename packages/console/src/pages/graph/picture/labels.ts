// The labels of the picture: names of entities, the largest nodes first, where they cover nothing, and types
// of relations on lines that are long enough for them. The names of the largest nodes may cover smaller
// nodes: hubs stand where it is densest, and would else be the ones without a name. The selected entity and
// the one under the pointer always have their names.
import { excerpt } from '../../../components/cut.ts'
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

/** The part of what sigma passes to its drawing functions that is used here. */
type Node = Point & { size: number }
type NamedNode = Node & {
  key: string
  label: string | null
  forceLabel: boolean
  /** Dim nodes have the lowest. */
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

/** The zIndex of dim nodes, which lie below all others. */
export const DIM = 0

const LABEL_LENGTH_MAX = 42
/** The outline of a name in the colour of the background, in pixels at each side. */
const HALO = 3
/** Room at each end of a relation's type, for the arrow. */
const ENDS = 6
/** Names tried in one picture. Nodes beyond these are small, and get their names after zooming in. */
const NAMES_TRIED = 400
/** One name that may cover smaller nodes for each so many square pixels of the picture. */
const ROOM_OF_MAIN = 26_000
/** Pixels around such a name without another one, so that the nodes between them can be seen. */
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

  /** `surroundings` is called once for each picture, when its nodes have their places. */
  constructor(colours: () => Colours, surroundings: () => Surroundings) {
    this.#colours = colours
    this.#surroundings = surroundings
  }

  /** Before each picture. The surroundings are asked for later: sigma does not know them yet. */
  begin() {
    this.#isSpaceKnown = false
    this.#waiting = []
    this.#places.clear()
    this.#drawnEdges.clear()
  }

  /** Sigma calls this in an order of its own; `finish` draws the names in ours. */
  drawNode = (context: CanvasRenderingContext2D, node: NamedNode, fonts: Fonts) => {
    if (node.label) this.#waiting.push({ context, node, fonts })
  }

  /** Draws the names that wait, before the types of relations, which keep clear of them. */
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
    // The arctangent of a slope is never upside down.
    const angle = dx === 0 ? Math.PI / 2 : Math.atan(dy / dx)
    for (const stand of STANDS) {
      const place = { x: source.x + dx * stand, y: source.y + dy * stand }
      const isOnLine = size.width / 2 <= room / 2 - Math.abs(stand - 0.5) * length
      const boxes = along(place, angle, size)
      // Hovering redraws only the types of relations: each may stand where it stood, in its own room.
      const isAgain = this.#drawnEdges.has(edge.key)
      if (!isOnLine || !(isAgain || this.#space.isFree(boxes))) continue
      this.#space.take(boxes)
      this.#drawnEdges.add(edge.key)
      context.save()
      context.translate(place.x, place.y)
      context.rotate(angle)
      const { text: strong, quiet, raised } = this.#colours()
      // A background besides: the outline of an underscore would leave the line visible through it.
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
   * Sets the bold font of the selected name, and returns the name cut and measured in it: every name has room
   * enough to become the selected one and stay where it is.
   */
  #strong(context: CanvasRenderingContext2D, { label }: NamedNode, fonts: Fonts) {
    context.font = `700 ${fonts.labelSize}px ${fonts.labelFont}`
    const text = excerpt(label ?? '', LABEL_LENGTH_MAX)
    // Measuring is most of the work, and a movement draws the names again in every frame.
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

/** As much of a type as the line has room for; empty when too little would be left to make sense. */
function fitting(context: CanvasRenderingContext2D, label: string, room: number): string {
  const width = context.measureText(label).width
  if (width <= room) return label
  // Less one for the ellipsis, and one because letters differ in width.
  const length = Math.floor((label.length * room) / width) - 2
  return length < 3 ? '' : excerpt(label, length)
}
