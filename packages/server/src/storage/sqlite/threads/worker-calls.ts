// Calls across threads: a procedure's name and arguments go over, its result or its failure comes
// back. Procedures are plain functions of one object, whose type both sides share. The calls of one
// turn of the event loop travel together, since a message costs more than what it carries, but no more than
// some: the other thread begins with them while the rest of a long turn is still being made. So do answers.
import {
  type MessagePort,
  type ResourceLimits,
  type Transferable,
  Worker,
} from 'node:worker_threads'
import { StoreError, StoreOverloaded } from '../../store.ts'
import { isFatal } from '../failure.ts'
import { CallSlots } from './call-slots.ts'
import type { Leaving } from './leaving.ts'

export type Procedures = Record<string, (...args: never[]) => unknown>
/** What a procedure returns whose work goes on beside other calls, and hears when its caller has left. */
export type Later<Result> = (leaving: Leaving) => Promise<Result>

type Answer<Returned> = Returned extends Later<infer Result> ? Result : Awaited<Returned>

/** Calls or replies in one message. */
const TOGETHER_MAX = 16
/** The id of calls that want no answer. */
export const NO_ANSWER = 0
/** The name of a call that takes back another one: whom that is for, and its id. */
export const TAKE_BACK = 'take back'
/** What a worker says first. */
export const HAS_BEGUN: Reply[] = []

export type Call = { id: number; name: string; args: unknown[] }
export type Reply =
  | { id: number; result: unknown }
  /** `overload`: why a StoreOverloaded refused. An error loses its class on the way. */
  | { id: number; failure: { kind: StoreError['kind']; cause: unknown; overload?: string } }

/** In several messages: callers of the first replies go on while the others are on their way. */
export function postReplies(port: MessagePort, replies: Reply[]): void {
  for (let first = 0; first < replies.length; first += TOGETHER_MAX) {
    port.postMessage(replies.slice(first, first + TOGETHER_MAX))
  }
}

type Waiting = { resolve: (result: never) => void; reject: (error: StoreError) => void }

export class WorkerCalls<P extends Procedures> {
  /** Undefined where the system had no thread for it. */
  readonly #worker: Worker | undefined
  readonly #waiting = new CallSlots<Waiting>()
  readonly #exited: Promise<void>
  #outbox: Call[] = []
  #ended: StoreError | undefined
  #hasBegun = false

  /**
   * `onDeath` hears of a worker that stopped without being asked to, unless `onFailedStart` does: of one that
   * could not begin, for a reason that may pass.
   */
  constructor(
    file: URL,
    options: {
      data: unknown
      transfer?: Transferable[]
      resourceLimits?: ResourceLimits
      onDeath: (error: unknown) => void
      onFailedStart?: (error: unknown) => void
    },
  ) {
    const { onDeath, onFailedStart = onDeath } = options
    const die = (error: unknown): void => {
      if (!this.#end(error)) return
      if (this.#hasBegun || isFatal(error)) onDeath(error)
      else onFailedStart(error)
    }
    let worker: Worker
    try {
      worker = new Worker(file, {
        workerData: options.data,
        ...(options.resourceLimits && { resourceLimits: options.resourceLimits }),
        ...(options.transfer && { transferList: options.transfer }),
      })
    } catch (error) {
      // It is told later, as of one that ends at once.
      setImmediate(() => die(error))
      this.#exited = Promise.resolve()
      return
    }
    this.#worker = worker
    worker.on('message', (replies: Reply[]) => {
      this.#hasBegun = true
      for (const reply of replies) this.#settle(reply)
    })
    worker.on('error', die)
    worker.on('messageerror', die)
    this.#exited = new Promise((resolve) => {
      worker.on('exit', (code) => {
        const error = new Error(`A storage worker exited with ${code}.`)
        if (code === 0) this.#end(error)
        else die(error)
        resolve()
      })
    })
  }

  call<Name extends keyof P & string>(
    name: Name,
    ...args: Parameters<P[Name]>
  ): Promise<Answer<ReturnType<P[Name]>>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended)
      this.#post({ id: this.#waiting.add({ resolve, reject }), name, args })
    })
  }

  /**
   * Rejects with the signal's reason when that comes before the answer, and the call is taken back: one that
   * has not begun is not made, and one that goes on beside others hears of it.
   */
  callUntil<Name extends keyof P & string>(
    signal: AbortSignal | undefined,
    name: Name,
    ...args: Parameters<P[Name]>
  ): Promise<Answer<ReturnType<P[Name]>>> {
    if (signal === undefined) return this.call(name, ...args)
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.#ended) return reject(this.#ended)
      const takeBack = (): void => {
        if (this.#waiting.take(id) === undefined) return
        this.#post({ id: NO_ANSWER, name: TAKE_BACK, args: [args[0], id] })
        reject(signal.reason)
      }
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          signal.removeEventListener('abort', takeBack)
          settle(value)
        }
      const id = this.#waiting.add({ resolve: settled(resolve), reject: settled(reject) })
      signal.addEventListener('abort', takeBack)
      this.#post({ id, name, args })
    })
  }

  /** Without an answer: nobody hears of a failure. */
  tell<Name extends keyof P & string>(name: Name, ...args: Parameters<P[Name]>): void {
    if (!this.#ended) this.#post({ id: NO_ANSWER, name, args })
  }

  #post(call: Call): void {
    if (this.#outbox.length === 0) setImmediate(() => this.#sendAll())
    this.#outbox.push(call)
    if (this.#outbox.length === TOGETHER_MAX) this.#sendAll()
  }

  #sendAll(): void {
    if (this.#outbox.length > 0) this.#send(this.#outbox.splice(0))
  }

  #send(calls: Call[]): void {
    try {
      this.#worker?.postMessage(calls)
    } catch (error) {
      // Only a call whose arguments cannot cross over fails.
      if (calls.length > 1) for (const call of calls) this.#send([call])
      else this.#refuse(calls[0], error)
    }
  }

  #refuse(call: Call | undefined, error: unknown): void {
    this.#waiting.take(call?.id ?? NO_ANSWER)?.reject(new StoreError('fault', error))
  }

  /** Resolves when the worker has ended by itself, after a call that tells it to. */
  ended(): Promise<void> {
    return this.#exited
  }

  /** Ends the worker whatever it does. */
  async terminate(): Promise<void> {
    this.#end(new Error('The storage worker was ended.'))
    await this.#worker?.terminate()
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.take(reply.id)
    if ('failure' in reply) {
      const { kind, cause, overload } = reply.failure
      const isOverload = overload !== undefined
      waiting?.reject(isOverload ? new StoreOverloaded(overload) : new StoreError(kind, cause))
    } else {
      // The types of `call` promise what the procedure of that name returns.
      waiting?.resolve(reply.result as never)
    }
  }

  /** Calls that wait for an answer, and later ones, fail. False when it had ended before. */
  #end(error: unknown): boolean {
    if (this.#ended) return false
    this.#ended = new StoreError('unavailable', error)
    for (const { reject } of this.#waiting.takeAll()) reject(this.#ended)
    return true
  }
}
