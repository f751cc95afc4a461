// The memories that pass a filter: those that the user, the agent and every tag have in common.
import type { MemoryFilter } from '../../../store.ts'
import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import type { CodeMemory } from '../scan/code-memory.ts'
import { type Members, Postings } from './postings.ts'

/** A memory or a filter. */
type Grouped = {
  userId?: string | undefined
  agentId?: string | undefined
  tags?: readonly string[] | undefined
}

/** Below this many the members are listed one by one. */
const LIST_MAX = 2_048

export class Groups {
  readonly #members = new Postings()

  get bytes(): number {
    return this.#members.bytes
  }

  add(memory: number, grouped: Grouped): void {
    for (const group of groupsOf(grouped)) this.#members.add(group, memory)
  }

  remove(memory: number, grouped: Grouped): void {
    for (const group of groupsOf(grouped)) this.#members.remove(group, memory)
  }

  save(to: CopyWriter): void {
    this.#members.save(to)
  }

  *restore(from: CopyReader): Reading {
    yield* this.#members.restore(from)
  }

  /** Undefined when everybody passes. Bits are to be read before the next change. */
  passing(filter: MemoryFilter): Members | undefined {
    const groups = groupsOf(filter).toSorted(
      (one, other) => this.#members.count(one) - this.#members.count(other),
    )
    const [smallest, ...others] = groups.map((group) => this.#members.members(group))
    if (groups.length === 0) return undefined
    if (smallest === undefined || others.includes(undefined)) return { list: new Uint32Array(0) }
    return others.reduce<Members>((one, other) => (other ? common(one, other) : one), smallest)
  }
}

function common(one: Members, other: Members): Members {
  if ('list' in one) {
    const isMember = membership(other)
    return { list: one.list.filter(isMember) }
  }
  const bits = bitsOf(other)
  const both = one.bits.slice()
  for (let at = 0; at < both.length; at += 1) both[at] = (both[at] ?? 0) & (bits[at] ?? 0)
  return { bits: both }
}

/** Whether a member is among them; to be asked before the next change. */
export function membership(members: Members): (member: number) => boolean {
  if ('list' in members && members.list.length < LIST_MAX) {
    const set = new Set(members.list)
    return (member) => set.has(member)
  }
  const bits = bitsOf(members)
  return (member) => (((bits[member >> 3] ?? 0) >> (member & 7)) & 1) === 1
}

export function bitsOf(members: Members): Uint8Array {
  if ('bits' in members) return members.bits
  const end = members.list.reduce((most, member) => Math.max(most, member + 1), 0)
  const bits = new Uint8Array(Math.ceil(end / 8))
  for (const member of members.list) {
    bits[member >> 3] = (bits[member >> 3] ?? 0) | (1 << (member & 7))
  }
  return bits
}

export function listOf(members: Members): Uint32Array {
  if ('list' in members) return members.list
  const list = new Uint32Array(countOf(members))
  let count = 0
  for (let at = 0; at < members.bits.length; at += 1) {
    for (let rest = members.bits[at] ?? 0; rest !== 0; rest &= rest - 1) {
      list[count] = at * 8 + (31 - Math.clz32(rest & -rest))
      count += 1
    }
  }
  return list
}

export function countOf(members: Members): number {
  if ('list' in members) return members.list.length
  const { buffer, byteOffset, length } = members.bits
  // Bits lie at the beginning of a buffer of their own; those behind the last word are counted alone.
  const words = new Uint32Array(buffer, byteOffset, length >> 2)
  let count = 0
  for (const word of words) count += onesIn(word)
  for (const byte of members.bits.subarray(words.length * 4)) count += onesIn(byte)
  return count
}

/** In 32 bits: sums of pairs, of fours, of bytes. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Points of rows that are not members are left out. `rows` are all that have points. */
export function leaveOutOthers(
  memory: CodeMemory,
  members: Members,
  { points, rows }: { points: number; rows: number },
): void {
  const bits = new Uint8Array(Math.ceil(rows / 8))
  bits.set(bitsOf(members).subarray(0, bits.length))
  memory.kernel.leaveOut(memory.setBits(bits), bits.length, points)
}

/** The first letters keep users, agents and tags apart. */
const groupsOf = ({ userId, agentId, tags = [] }: Grouped): string[] => [
  ...(userId === undefined ? [] : [`u${userId}`]),
  ...(agentId === undefined ? [] : [`a${agentId}`]),
  ...new Set(tags.map((tag) => `t${tag}`)),
]
