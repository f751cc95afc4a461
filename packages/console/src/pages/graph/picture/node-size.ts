// How large nodes are drawn: by their number of relations compared with the node that has most, and all of
// them smaller where many share little room, so that they do not cover one another.

/** The side of the square, in pixels, that a node of full size needs. */
const ROOM = 54
/** In pixels; anything smaller could not be seen. */
const RADIUS_MIN = 1.3

/** Where no node has as many relations as this, none is drawn as large as a hub. */
const MOST_OF_FEW = 32

/** The scale for so many nodes in a picture of this size; 1 where there is room enough. */
export const scaleFor = (nodes: number, { width, height }: { width: number; height: number }) =>
  Math.min(1, Math.sqrt((width * height) / Math.max(1, nodes)) / ROOM)

/** The radius of a node with `degree` relations, where the best connected one has `most`. */
export const radiusOf = (degree: number, most: number, scale: number) =>
  Math.max(RADIUS_MIN, scale * (5 + 9 * Math.sqrt(degree / Math.max(most, MOST_OF_FEW))))
