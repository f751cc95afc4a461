// A random trace: rounds of requests in several lanes, one for each key. The requests of a lane go
// one after the other, lanes beside each other; between rounds time passes. Ids are not known yet:
// `{kind lane n}` stands for what the n-th create of that kind in that lane made, if it did.
import type { OperationId } from '../../../contract/operations.ts'
import { Dice } from './dice.ts'
import {
  entitiesQuery,
  entityBody,
  memoriesQuery,
  memoryBody,
  NO_OBJECT,
  relationBody,
  relationsQuery,
  searchBody,
  spoilt,
} from './inputs.ts'

type Kind = 'memory' | 'entity' | 'relation'
type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'PUT'

export type Step = {
  /** Undefined for a request that is none of the thirteen. */
  operation: OperationId | undefined
  method: Method
  path: string
  body?: string
  headers: Record<string, string>
  /** Whose id the answer to a create tells. */
  makes?: string
}

export type Round = { passMs: number; lanes: Step[][] }

/** Percent of all steps. The rest are requests that no operation answers. */
const MIX: Readonly<Record<OperationId, number>> = {
  'memories.create': 17,
  'memories.search': 17,
  'memories.list': 10,
  'memories.get': 7,
  'memories.delete': 7,
  'entities.create': 10,
  'entities.list': 7,
  'entities.get': 4,
  'entities.delete': 3,
  'relations.create': 8,
  'relations.list': 5,
  'relations.get': 2,
  'relations.delete': 2,
}
const DAY_AND_HOUR_MS = 25 * 60 * 60 * 1000
const PASS_MS_MAX = 4_000
/** Idempotency keys are few, so that they are used again. */
const IDEMPOTENCY_KEYS = 12

export function traceOf(
  seed: number,
  size: { rounds: number; lanes: number; steps: number },
): Round[] {
  const lanes = Array.from({ length: size.lanes }, (_, no) => new Lane(no, size.lanes, seed))
  const dice = new Dice(seed)
  return Array.from({ length: size.rounds }, (_, round) => {
    const steps = lanes.map((lane) => Array.from({ length: size.steps }, () => lane.next()))
    // Once a day passes: repetitions are forgotten, and it is the next month. All else in tens of
    // milliseconds, so that no window ends at a whole second, where the stores round differently.
    const passMs =
      round === Math.floor(size.rounds / 2) ? DAY_AND_HOUR_MS : 10 * dice.below(PASS_MS_MAX / 10)
    return { passMs, lanes: steps }
  })
}

class Lane {
  readonly #no: number
  readonly #lanes: number
  readonly #dice: Dice
  readonly #made: Record<Kind, number> = { memory: 0, entity: 0, relation: 0 }
  readonly #repeatable: Step[] = []

  constructor(no: number, lanes: number, seed: number) {
    this.#no = no
    this.#lanes = lanes
    this.#dice = new Dice(seed + 7_919 * (no + 1))
  }

  next(): Step {
    if (this.#dice.happens(3)) return this.#odd()
    if (this.#dice.happens(3) && this.#repeatable.length > 0) return this.#repeated()
    return this.#step(this.#dice.weighted(MIX, 'memories.list'))
  }

  #step(operation: OperationId): Step {
    const dice = this.#dice
    const get = (path: string): Step => {
      const method = dice.happens(3) ? 'HEAD' : 'GET'
      return { operation, method, path, headers: {} }
    }
    const remove = (path: string): Step => {
      const empty = dice.happens(5) ? { body: '{}', headers: JSON_TYPE } : { headers: {} }
      return { operation, method: 'DELETE', path, ...empty }
    }
    const ends = () => ({ sourceId: this.#id('entity'), targetId: this.#id('entity') })
    switch (operation) {
      case 'memories.create':
        return this.#create(operation, 'memory', '/v1/memories', memoryBody(dice))
      case 'entities.create':
        return this.#create(operation, 'entity', '/v1/entities', entityBody(dice))
      case 'relations.create':
        return this.#create(operation, 'relation', '/v1/relations', relationBody(dice, ends()))
      case 'memories.search':
        return this.#post(operation, '/v1/memories/search', searchBody(dice))
      case 'memories.list':
        return get(`/v1/memories${memoriesQuery(dice)}`)
      case 'entities.list':
        return get(`/v1/entities${entitiesQuery(dice)}`)
      case 'relations.list':
        return get(`/v1/relations${relationsQuery(dice, ends())}`)
      case 'memories.get':
        return get(`/v1/memories/${this.#id('memory')}`)
      case 'entities.get':
        return get(`/v1/entities/${this.#id('entity')}`)
      case 'relations.get':
        return get(`/v1/relations/${this.#id('relation')}`)
      case 'memories.delete':
        return remove(`/v1/memories/${this.#id('memory')}`)
      case 'entities.delete':
        return remove(`/v1/entities/${this.#id('entity')}`)
      case 'relations.delete':
        return remove(`/v1/relations/${this.#id('relation')}`)
    }
  }

  #post(operation: OperationId, path: string, valid: object): Step {
    const dice = this.#dice
    const fields = dice.happens(12) ? spoilt(dice, { ...valid }) : valid
    const body = dice.happens(2) ? dice.pick(NO_OBJECT) : JSON.stringify(fields)
    return { operation, method: 'POST', path, body, headers: JSON_TYPE }
  }

  #create(operation: OperationId, kind: Kind, path: string, valid: object): Step {
    const step = this.#post(operation, path, valid)
    step.makes = nameOf(kind, this.#no, this.#made[kind])
    this.#made[kind] += 1
    if (!this.#dice.happens(10)) return step
    const key = this.#dice.happens(5) ? '' : `key-${this.#dice.below(IDEMPOTENCY_KEYS)}`
    const repeatable = { ...step, headers: { ...step.headers, 'idempotency-key': key } }
    this.#repeatable.push(repeatable)
    return repeatable
  }

  #repeated(): Step {
    const recent = this.#repeatable.slice(-IDEMPOTENCY_KEYS)
    return recent[this.#dice.below(recent.length)] ?? this.#odd()
  }

  /** Mostly of this lane, some of them deleted meanwhile; also foreign ones and what is no id. */
  #id(kind: Kind): string {
    const dice = this.#dice
    const made = this.#made[kind]
    if (dice.happens(8)) {
      const other = (this.#no + 1 + dice.below(this.#lanes - 1)) % this.#lanes
      return nameOf(kind, other, dice.below(made + 1))
    }
    if (dice.happens(4)) return dice.pick(['none', 'mem_', '%00', '..%2f', '%F0%9F%98%80', 'é'])
    if (dice.happens(2)) return nameOf(kind === 'entity' ? 'memory' : 'entity', this.#no, 0)
    return nameOf(kind, this.#no, dice.happens(60) ? made - 1 - dice.below(12) : dice.below(made))
  }

  #odd(): Step {
    const path = this.#dice.pick([
      '/v1/memories',
      '/v1/memories/search',
      '/v1/nowhere',
      '/v1/Entities',
    ])
    const method = this.#dice.pick<Method>(['PUT', 'DELETE', 'GET', 'POST'])
    const type = this.#dice.pick([{}, JSON_TYPE, { 'content-type': 'text/plain' }])
    return { operation: undefined, method, path, body: '{}', headers: type }
  }
}

const JSON_TYPE: Record<string, string> = { 'content-type': 'application/json' }

const nameOf = (kind: Kind, lane: number, n: number): string => `{${kind} ${lane} ${n}}`
