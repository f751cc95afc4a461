// The worker's side of worker-calls.ts for threads that answer each call by itself. Whom a call is for is its
// first argument, a space, a key or an account, and those take turns: with hundreds of one caller under way, the
// call of another waits for one of them. Each has its calls answered in their order.
// decisions/2026-11-28-callers-take-turns.md
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { type Asker, FairQueue } from '../../../turns/fair-queue.ts'
import { StoreOverloaded } from '../../store.ts'
import { isFatal, toStoreError } from '../failure.ts'
import { Leaving } from './leaving.ts'
import {
  type Call,
  HAS_BEGUN,
  type Later,
  NO_ANSWER,
  type Procedures,
  type Reply,
  TAKE_BACK,
} from './worker-calls.ts'

/** How long calls are answered before the thread's other work goes on: a slice of a long search (searches.ts). */
const TURN_MS = 10

export function serveCalls(procedures: Procedures, { onClose }: { onClose: () => void }): void {
  if (parentPort === null) throw new Error('Calls are served by a worker thread.')
  const port = parentPort
  const waiting = new FairQueue<Call>()
  /** By the id of the call. */
  const goingOn = new Map<unknown, Leaving>()
  let isAnswering = false
  const reply = (each: Reply): void => {
    if (each.id !== NO_ANSWER) port.postMessage([each])
  }

  function take(calls: Call[]): void {
    for (const call of calls) {
      if (call.name === 'close') close(call)
      else if (call.name === TAKE_BACK) takeBack(call)
      else waiting.add(call, askerOf(call))
    }
  }

  function takeBack(takingBack: Call): void {
    const asker = askerOf(takingBack)
    const [, taken] = takingBack.args
    const call = waiting.find(asker, ({ id }) => id === taken)
    if (call !== undefined) waiting.remove(call, asker)
    goingOn.get(taken)?.leave()
  }

  /** After each answer, so that a newcomer has a turn before the next call of the same asker. */
  function takeWhatCame(): void {
    for (;;) {
      const came: { message: Call[] } | undefined = receiveMessageOnPort(port)
      if (came === undefined) return
      take(came.message)
    }
  }

  /** After all that came before. */
  function close({ id }: Call): void {
    for (const call of waiting.drain()) answer(call)
    onClose()
    reply({ id, result: undefined })
    port.close()
  }

  function answerSome(): void {
    const endMs = performance.now() + TURN_MS
    for (;;) {
      const call = waiting.next()
      isAnswering = call !== undefined
      if (call === undefined) return
      // At once: a short answer does not wait for a long one.
      const answersLater = answer(call) === 'later'
      takeWhatCame()
      // Nearly all that answers later has its result by now, and sends it in the pause.
      if (answersLater || performance.now() >= endMs) break
    }
    setImmediate(answerSome)
  }

  function answer({ id, name, args }: Call): 'answered' | 'later' {
    try {
      const procedure = procedures[name]
      if (procedure === undefined) throw new Error(`There is no procedure ${name}.`)
      // The types of WorkerCalls make sure that the arguments are the procedure's.
      const result = procedure(...(args as never[]))
      if (isLater(result)) {
        goOn(id, result)
        return 'later'
      }
      reply({ id, result })
    } catch (error) {
      reply(failureOf(id, error))
    }
    return 'answered'
  }

  function goOn(id: number, work: Later<unknown>): void {
    const leaving = new Leaving()
    goingOn.set(id, leaving)
    const end = (each: Reply): void => {
      goingOn.delete(id)
      if (!leaving.hasLeft) reply(each)
    }
    // What `failureOf` throws ends the thread, as an error nobody awaits does.
    void work(leaving).then(
      (result) => end({ id, result }),
      (error: unknown) => end(failureOf(id, error)),
    )
  }

  port.postMessage(HAS_BEGUN)
  port.on('message', (calls: Call[]) => {
    take(calls)
    if (!isAnswering) answerSome()
  })
}

const askerOf = ({ name, args: [first] }: Call): Asker =>
  typeof first === 'number' || typeof first === 'string' ? first : name

/** A result that crosses over is no function. */
const isLater = (result: unknown): result is Later<unknown> => typeof result === 'function'

/** Throws what is fatal. */
function failureOf(id: number, error: unknown): Reply {
  if (isFatal(error)) throw error
  const { kind, cause } = toStoreError(error)
  const overload = error instanceof StoreOverloaded && { overload: error.message }
  return { id, failure: { kind, cause, ...overload } }
}
