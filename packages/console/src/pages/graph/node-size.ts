// How large nodes are drawn: by how many relations they have beside the one that has most, and all of them
// smaller where many share little room. Nodes of one size whatever their number would cover one another, and
// what joins them; and among hubs the greatest would look like all others.

/** Of the picture, to a node, in pixels each way: with less nodes are drawn smaller. */
const ROOM = 54
/** In pixels: below nothing can be seen. */
const RADIUS_MIN = 1.3

/** Where no node has more relations than this, a few of them make none large. */
const MOST_OF_FEW = 32

/** Of so many nodes in a picture of this size; 1 where there is room enough. */
export const scaleFor = (nodes: number, { width, height }: { width: number; height: number }) =>
  Math.min(1, Math.sqrt((width * height) / Math.max(1, nodes)) / ROOM)

/** Of one with so many relations, among those of which one has `most`. */
export const radiusOf = (degree: number, most: number, scale: number) =>
  Math.max(RADIUS_MIN, scale * (5 + 9 * Math.sqrt(degree / Math.max(most, MOST_OF_FEW))))
