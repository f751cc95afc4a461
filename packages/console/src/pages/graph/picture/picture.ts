// The drawn graph: sigma over a graphology graph that follows the data; the layout runs in a worker. When a
// few nodes come to many, the many stay where they are, so that an opened entity leaves everything in its
// place.
import Sigma from 'sigma'
import {
  createEdgeArrowProgram,
  createEdgeDoubleArrowProgram,
  EdgeLineProgram,
} from 'sigma/rendering'
import { SHAPES } from '../entity-types.tsx'
import type { GraphData } from '../graph-data.ts'
import { type Colours, coloursOf } from './colours.ts'
import { drawnGraph, type EdgeAttributes, type NodeAttributes, newGraph } from './drawn-graph.ts'
import { DIM, Labels } from './labels.ts'
import { layOut, packed } from './layout.ts'
import { ShapeProgram } from './node-program.ts'
import { viewOf } from './view-of.ts'

/** Beyond this number arrows, types of relations and the reaction to hovering cost more than they show. */
const MANY_NODES = 1_000

/** A picture of fewer nodes is laid out anew with each change: it is taken in at a glance anyway. */
const STEADY_NODES = 60

/** Around the picture, in pixels, for the names of the outermost nodes. */
const PADDING = 56

/** How the camera moves; at once for those who prefer reduced motion. */
const moving = () => ({
  duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 200,
})

type Highlight = {
  selected: string | undefined
  /** The middle of a neighbourhood. Selecting it dims nothing: all around it is what was asked for. */
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
  /** Aborted with the picture: sigma itself lets go of its canvases at the end. */
  readonly #life = new AbortController()

  /** `controls` lies over the picture, in the same box as `host`. */
  constructor(
    host: HTMLElement,
    controls: HTMLElement,
    { onSelect, onLost }: { onSelect: (id: string | undefined) => void; onLost: () => void },
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
      // Sigma passes on all names: Labels decides which are drawn.
      labelDensity: 1_000,
      labelRenderedSizeThreshold: 0,
      // Nodes grow slower than distances, so that zooming in separates nodes that were too close.
      zoomToSizeRatioFunction: Math.cbrt,
      stagePadding: PADDING,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      zIndex: true,
      allowInvalidContainer: true,
      // Sigma passes more than its types declare: the node's or edge's key.
      defaultDrawNodeLabel: labels.drawNode as never,
      // Sigma would go on drawing the last hovered node after the pointer has left the picture.
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
    host.addEventListener('webglcontextlost', onLost, { capture: true, signal: this.#life.signal })
  }

  show(data: GraphData, onSettled: () => void) {
    const before = this.#graph
    const isLarge = data.nodes.length > MANY_NODES
    // Not sigma's own size, which follows the host's with a delay.
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
      // Everything gets a new place.
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

  /** Moves the picture by shares of its visible width and height. */
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
    this.#life.abort()
    this.#stopLayout()
    this.#sigma.kill()
  }

  #surroundings() {
    const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = this.#controls
    return {
      size: this.#sigma.getDimensions(),
      nodes: this.#graph.nodes().flatMap((id) => {
        const node = this.#sigma.getNodeDisplayData(id)
        // Among many nodes, the names of the others may cover the dim ones.
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
    this.#stopLayout = layOut(
      {
        ...{ places, ends, isNew, aspect: this.#aspect() },
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

  /** Zooms a large picture in on the selected entity and its neighbours. */
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

  /** The width of the room inside the padding divided by its height. */
  #aspect() {
    const { clientWidth, clientHeight } = this.#host
    return Math.max(1, clientWidth - 2 * PADDING) / Math.max(1, clientHeight - 2 * PADDING)
  }

  #hover(id: string | undefined) {
    this.#hovered = id
    this.#host.style.cursor = id === undefined ? '' : 'pointer'
    if (this.#graph.order <= MANY_NODES) this.#sigma.refresh({ skipIndexation: true })
  }

  /** Whether a part of the picture stands out and the rest is dim. */
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
      // Among many nodes, the names of dim ones would only be in the way.
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
