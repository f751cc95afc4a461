// The drawn graph: sigma over a graphology graph, kept in step with the data; the layout runs in a worker.
// Where few come to many, none of the many moves: whoever opens an entity finds everything where it was.
import Sigma from 'sigma'
import {
  createEdgeArrowProgram,
  createEdgeDoubleArrowProgram,
  EdgeLineProgram,
} from 'sigma/rendering'
import { type Colours, coloursOf } from './colours.ts'
import { drawnGraph, type EdgeAttributes, type NodeAttributes, newGraph } from './drawn-graph.ts'
import { SHAPES } from './entity-types.tsx'
import type { GraphData } from './graph-data.ts'
import { DIM, Labels } from './labels.ts'
import { iterationsFor, layOut, packed } from './layout.ts'
import { ShapeProgram } from './node-program.ts'
import { viewOf } from './view-of.ts'

/** From here on arrows, types of relations and dimming cost more than they show. */
const MANY_NODES = 1_000

/** A picture of fewer is arranged anew whatever comes: it is taken in at once. */
const STEADY_NODES = 60

/** Around the picture, in pixels: names stand beside the outermost nodes. */
const PADDING = 56

/** How a look is moved; at once for those who do not want to see it move. */
const moving = () => ({
  duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 200,
})

type Highlight = {
  selected: string | undefined
  /** Of a neighbourhood. All round it is what was asked for, and stays as bright when it is selected. */
  middle: string | undefined
  path: readonly string[]
}

export class Picture {
  #graph = newGraph()
  readonly #sigma: Sigma<NodeAttributes, EdgeAttributes>
  readonly #host: HTMLElement
  readonly #controls: HTMLElement
  #colours: Colours
  #highlight: Highlight = { selected: undefined, middle: undefined, path: [] }
  #near: ReadonlySet<string> = new Set()
  #hovered: string | undefined
  #isSettled = false
  #focused: string | undefined
  #stopLayout = () => {}

  /** `controls` lie over the picture, in the same box as the host. */
  constructor(
    host: HTMLElement,
    controls: HTMLElement,
    onSelect: (id: string | undefined) => void,
  ) {
    this.#host = host
    this.#controls = controls
    this.#colours = coloursOf(host)
    const labels = new Labels(
      () => this.#colours,
      () => this.#surroundings(),
    )
    this.#sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.#graph, host, {
      defaultNodeType: 'shape',
      // The program reads one attribute more than the declared type has.
      nodeProgramClasses: { shape: ShapeProgram as never },
      edgeProgramClasses: {
        arrow: createEdgeArrowProgram<NodeAttributes, EdgeAttributes>(),
        both: createEdgeDoubleArrowProgram<NodeAttributes, EdgeAttributes>(),
        line: EdgeLineProgram<NodeAttributes, EdgeAttributes>,
      },
      renderEdgeLabels: true,
      labelFont: getComputedStyle(host).fontFamily,
      edgeLabelFont: getComputedStyle(host).fontFamily,
      labelSize: 13,
      edgeLabelSize: 11,
      // Which names are written is decided by Labels, and has to be among all.
      labelDensity: 1_000,
      labelRenderedSizeThreshold: 0,
      // What is drawn grows slower than the distances: a closer look is for what was too near.
      zoomToSizeRatioFunction: Math.cbrt,
      stagePadding: PADDING,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      zIndex: true,
      allowInvalidContainer: true,
      // What sigma hands over has more than its declared types say: the node's or edge's key.
      defaultDrawNodeLabel: labels.drawNode as never,
      // It draws the last one on after the pointer has left the picture.
      defaultDrawNodeHover: ((...[context, node, fonts]: Parameters<Labels['drawHover']>) => {
        if (node.key === this.#hovered || node.key === this.#highlight.selected)
          labels.drawHover(context, node, fonts)
      }) as never,
      defaultDrawEdgeLabel: labels.drawEdge as never,
      nodeReducer: (id, data) => this.#shownNode(id, data),
      edgeReducer: (id, data) => this.#shownEdge(id, data),
    })
    this.#sigma.on('beforeRender', () => labels.begin())
    this.#sigma.on('afterRender', () => labels.finish())
    this.#sigma.on('clickNode', ({ node }) => onSelect(node))
    this.#sigma.on('clickStage', () => onSelect(undefined))
    this.#sigma.on('enterNode', ({ node }) => this.#hover(node))
    this.#sigma.on('leaveNode', () => this.#hover(undefined))
  }

  show(data: GraphData, onSettled: () => void) {
    const before = this.#graph
    const isLarge = data.nodes.length > MANY_NODES
    // Sigma learns late of another size.
    const { clientWidth: width, clientHeight: height } = this.#host
    const next = drawnGraph(data, before, { size: { width, height }, isLarge })
    this.#graph = next
    this.#hovered = undefined
    this.#sigma.setGraph(next)
    this.#sigma.setSetting('hideEdgesOnMove', isLarge)
    this.#sigma.setSetting('minEdgeThickness', isLarge ? 0.7 : 1.7)
    this.#sigma.setSetting('renderEdgeLabels', !isLarge)
    const stay = next.filterNodes((id) => before.hasNode(id))
    const isSteady =
      this.#isSettled && stay.length >= STEADY_NODES && next.order - stay.length < stay.length
    if (!isSteady && next.order >= STEADY_NODES) {
      // Nothing is where it was looked at.
      this.#focused = undefined
      this.zoom('fit')
    }
    this.#layOut(before.order === 0, new Set(isSteady ? stay : []), onSettled)
  }

  highlight(highlight: Highlight) {
    this.#highlight = highlight
    const { selected } = highlight
    this.#near = new Set(
      selected !== undefined && this.#graph.hasNode(selected)
        ? this.#graph.neighbors(selected)
        : [],
    )
    this.#sigma.refresh({ skipIndexation: true })
    if (this.#isSettled) this.#focus()
  }

  zoom(direction: 'in' | 'out' | 'fit') {
    const camera = this.#sigma.getCamera()
    const options = moving()
    if (direction === 'in') void camera.animatedZoom(options)
    else if (direction === 'out') void camera.animatedUnzoom(options)
    else void camera.animatedReset(options)
  }

  /** By a part of what is seen, in each direction. */
  pan(across: number, down: number) {
    const camera = this.#sigma.getCamera()
    const { width, height } = this.#sigma.getDimensions()
    const to = { x: width * (0.5 + across), y: height * (0.5 + down) }
    void camera.animate(this.#sigma.viewportToFramedGraph(to), moving())
  }

  refreshTheme() {
    this.#colours = coloursOf(this.#host)
    this.#sigma.refresh()
  }

  kill() {
    this.#stopLayout()
    this.#sigma.kill()
  }

  #surroundings() {
    const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = this.#controls
    return {
      size: this.#sigma.getDimensions(),
      nodes: this.#graph.nodes().flatMap((id) => {
        const node = this.#sigma.getNodeDisplayData(id)
        // Of many, the dim ones may be covered by the names of the others.
        const isBelow = this.#graph.order >= STEADY_NODES && node?.zIndex === DIM
        if (node === undefined || isBelow) return []
        return {
          ...this.#sigma.framedGraphToViewport(node),
          size: this.#sigma.scaleSize(node.size),
        }
      }),
      controls: { left, top, right: left + offsetWidth, bottom: top + offsetHeight },
    }
  }

  #layOut(isNew: boolean, fixed: ReadonlySet<string>, onSettled: () => void) {
    this.#stopLayout()
    this.#isSettled = fixed.size === this.#graph.order
    if (this.#isSettled) return onSettled()
    const { numbers, places, ends } = packed(this.#graph)
    const iterations = iterationsFor(numbers.size) / (isNew ? 1 : 2)
    this.#stopLayout = layOut(
      {
        ...{ places, ends, iterations, aspect: this.#aspect() },
        fixed: Uint8Array.from(fixed.size > 0 ? numbers.keys() : [], (id) =>
          fixed.has(id) ? 1 : 0,
        ),
      },
      (now, isDone) => {
        this.#graph.updateEachNodeAttributes(
          (id, attributes) => {
            const number = numbers.get(id) ?? 0
            attributes.x = now[number * 2] ?? 0
            attributes.y = now[number * 2 + 1] ?? 0
            return attributes
          },
          { attributes: ['x', 'y'] },
        )
        if (!isDone) return
        this.#isSettled = true
        this.#sigma.refresh()
        this.#focus()
        onSettled()
      },
    )
  }

  /** Draws a large picture nearer to an entity that is opened, and to what is joined to it. */
  #focus() {
    const { selected } = this.#highlight
    if (selected === this.#focused || this.#graph.order < STEADY_NODES) return
    this.#focused = selected
    if (selected === undefined || selected === this.#highlight.middle) return
    const points = [selected, ...this.#near].flatMap((id) => {
      const node = this.#sigma.getNodeDisplayData(id)
      return node ? [this.#sigma.framedGraphToViewport(node)] : []
    })
    const camera = this.#sigma.getCamera()
    const view = viewOf(points, this.#sigma.getDimensions(), PADDING, camera.ratio)
    if (view === undefined) return
    const { x, y } = this.#sigma.viewportToFramedGraph(view.middle)
    void camera.animate({ x, y, ratio: view.ratio }, moving())
  }

  /** Of the room that the picture has: width to height. */
  #aspect() {
    const { clientWidth, clientHeight } = this.#host
    return Math.max(1, clientWidth - 2 * PADDING) / Math.max(1, clientHeight - 2 * PADDING)
  }

  #hover(id: string | undefined) {
    this.#hovered = id
    this.#host.style.cursor = id === undefined ? '' : 'pointer'
    if (this.#graph.order <= MANY_NODES) this.#sigma.refresh({ skipIndexation: true })
  }

  /** Whether a part is looked at, and the rest is dim. */
  #hasFocus() {
    const { selected, middle, path } = this.#highlight
    return path.length > 0 || (selected !== undefined && selected !== middle)
  }

  #shownNode(id: string, data: NodeAttributes) {
    const { selected, path } = this.#highlight
    const hasFocus = this.#hasFocus()
    const isOnPath = path.includes(id)
    const isMain = id === selected || id === this.#hovered || isOnPath
    const isDim = hasFocus && !isMain && (path.length > 0 || !this.#near.has(id))
    return {
      ...data,
      shape: SHAPES[data.kind].number,
      color: isDim ? this.#colours.line : this.#colours.types[data.kind],
      // Of many dim ones no name would be found among the others.
      label: isDim && this.#graph.order >= STEADY_NODES ? '' : data.label,
      forceLabel: isMain,
      highlighted: id === selected,
      zIndex: isMain ? 2 : isDim ? DIM : 1,
    }
  }

  #shownEdge(id: string, data: EdgeAttributes) {
    const [source, target] = this.#graph.extremities(id)
    const { selected, path } = this.#highlight
    const at = path.indexOf(source)
    const isOnPath = at !== -1 && (path[at + 1] === target || path[at - 1] === target)
    const isNear = source === selected || target === selected
    const isHovered = source === this.#hovered || target === this.#hovered
    const isMain = path.length > 0 ? isOnPath : isNear
    const hasFocus = this.#hasFocus()
    return {
      ...data,
      color: isMain ? this.#colours.accent : hasFocus ? this.#colours.line : this.#colours.edge,
      size: isMain ? 2.4 : data.size,
      label: hasFocus && !isMain && !isHovered ? '' : data.label,
      forceLabel: isMain || isHovered,
      zIndex: isMain ? 1 : 0,
    }
  }
}
