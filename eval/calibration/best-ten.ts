// The first ten hits as the service shows them: highest score first; hits with equal scores keep their order.
import type { Hit } from '../retriever.ts'

export const PLACES = 10

export function bestTen(hits: Iterable<Hit>): Hit[] {
  const best: Hit[] = []
  for (const hit of hits) {
    const last = best.at(-1)
    if (best.length === PLACES && last !== undefined && hit.score <= last.score) continue
    const place = best.findIndex(({ score }) => hit.score > score)
    best.splice(place === -1 ? best.length : place, 0, hit)
    if (best.length > PLACES) best.pop()
  }
  return best
}
