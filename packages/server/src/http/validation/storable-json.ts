// Whether a value of JSON may be kept: only what every store can give back exactly, and no more of it than the
// bounds allow. A body can be 64 times as large as they are, and to look at all of it would hold up everybody
// for 60 to 120 ms: so it counts what it has seen, and stops when that is too much.
import { isStorable } from '../../contract/storable.ts'

type Bounds = {
  /** Of its compact form, in UTF-8. */
  bytesMax: number
  /** The value itself is the first. */
  levelsMax: number
}

export const isStorableJson = (value: unknown, { bytesMax, levelsMax }: Bounds): boolean =>
  roomLeft(value, { room: bytesMax, levels: levelsMax }) >= 0 &&
  Buffer.byteLength(JSON.stringify(value)) <= bytesMax

const NONE = -1

/**
 * Of `room` bytes, when the value takes as few as it can. Below zero where it cannot be kept: the values behind
 * that are not looked at.
 */
function roomLeft(value: unknown, { room, levels }: { room: number; levels: number }): number {
  if (typeof value === 'string') return afterText(value, room)
  if (typeof value === 'number') return Number.isFinite(value) ? room - 1 : NONE
  if (typeof value !== 'object' || value === null) return room - 1
  if (levels === 0) return NONE
  let left = room - '[]'.length
  if (Array.isArray(value)) {
    for (let place = 0; left >= 0 && place < value.length; place += 1) {
      left = roomLeft(value[place], { room: place === 0 ? left : left - 1, levels: levels - 1 })
    }
    return left
  }
  for (const [place, key] of Object.keys(value).entries()) {
    if (left < 0) return NONE
    left = afterText(key, place === 0 ? left : left - 1) - ':'.length
    if (left >= 0) left = roomLeft(Reflect.get(value, key), { room: left, levels: levels - 1 })
  }
  return left
}

function afterText(text: string, room: number): number {
  const left = room - text.length - '""'.length
  return left >= 0 && isStorable(text) ? left : NONE
}
