// One WebGL program draws the nodes' seven shapes as signed distances from their edges: they stay sharp at
// any size, and a picture of 5,000 nodes is still one draw call.
import { NodeCircleProgram } from 'sigma/rendering'
import type { NodeDisplayData } from 'sigma/types'
import { floatColor } from 'sigma/utils'

/** How far the drawn triangle reaches beyond the radius: corners need more room than a disc. */
const REACH = 1.5

const VERTEX_SHADER = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_shape;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;
varying vec2 v_point;
varying float v_pixel;
varying float v_shape;

void main() {
  float radius = a_size * u_correctionRatio / u_sizeRatio * 2.0;
  vec2 corner = 2.0 * ${REACH.toFixed(1)} * vec2(cos(a_angle), sin(a_angle));
  gl_Position = vec4((u_matrix * vec3(a_position + corner * radius, 1)).xy, 0, 1);
  v_point = corner;
  v_pixel = u_correctionRatio * 2.0 / radius;
  v_shape = a_shape;
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= 255.0 / 254.0;
}`

const FRAGMENT_SHADER = /* glsl */ `
precision highp float;
varying vec4 v_color;
varying vec2 v_point;
varying float v_pixel;
varying float v_shape;

float edge(vec2 p) {
  vec2 q = abs(p);
  if (v_shape < 0.5) return length(p) - 1.0;
  if (v_shape < 1.5) return max(q.x, q.y) - 0.88;
  if (v_shape < 2.5) return max(q.x * 0.866 - p.y * 0.5, p.y) - 0.68;
  if (v_shape < 3.5) return (q.x + q.y - 1.2) * 0.707;
  if (v_shape < 4.5) return max(q.x * 0.5 + q.y * 0.866, q.x) - 0.95;
  if (v_shape < 5.5) return abs(length(p) - 0.74) - 0.3;
  return min(max(q.x - 0.36, q.y - 1.05), max(q.y - 0.36, q.x - 1.05));
}

void main() {
  float distance = edge(v_point);
  #ifdef PICKING_MODE
  if (length(v_point) > 1.1) discard;
  gl_FragColor = v_color;
  #else
  float inside = 1.0 - smoothstep(-v_pixel, 0.0, distance);
  gl_FragColor = v_color * inside;
  #endif
}`

export class ShapeProgram extends NodeCircleProgram {
  override getDefinition() {
    const circle = super.getDefinition()
    return {
      ...circle,
      VERTEX_SHADER_SOURCE: VERTEX_SHADER,
      FRAGMENT_SHADER_SOURCE: FRAGMENT_SHADER,
      ATTRIBUTES: [
        { name: 'a_position', size: 2, type: WebGLRenderingContext.FLOAT },
        { name: 'a_size', size: 1, type: WebGLRenderingContext.FLOAT },
        { name: 'a_shape', size: 1, type: WebGLRenderingContext.FLOAT },
        {
          name: 'a_color',
          size: 4,
          type: WebGLRenderingContext.UNSIGNED_BYTE,
          normalized: true,
        },
        { name: 'a_id', size: 4, type: WebGLRenderingContext.UNSIGNED_BYTE, normalized: true },
        // The declared type allows only the circle's own attributes.
      ] as ReturnType<NodeCircleProgram['getDefinition']>['ATTRIBUTES'],
    }
  }

  override processVisibleItem(
    nodeIndex: number,
    startIndex: number,
    data: NodeDisplayData & { shape?: number },
  ) {
    this.array.set(
      [data.x, data.y, data.size, data.shape ?? 0, floatColor(data.color), nodeIndex],
      startIndex,
    )
  }
}
