// The worker's side of worker-calls.ts for threads that answer each call by itself.
import { parentPort } from 'node:worker_threads'
import { StoreOverloaded } from '../../store.ts'
import { isFatal, toStoreError } from '../failure.ts'
import { type Call, HAS_BEGUN, NO_ANSWER, type Procedures, type Reply } from './worker-calls.ts'

export function serveCalls(procedures: Procedures, { onClose }: { onClose: () => void }): void {
  if (parentPort === null) throw new Error('Calls are served by a worker thread.')
  const port = parentPort
  const reply = (each: Reply): void => {
    if (each.id !== NO_ANSWER) port.postMessage([each])
  }
  port.postMessage(HAS_BEGUN)
  port.on('message', (calls: Call[]) => {
    for (const call of calls) {
      if (call.name === 'close') {
        onClose()
        reply({ id: call.id, result: undefined })
        port.close()
        return
      }
      // At once: a short answer does not wait for a long one.
      answer(procedures, call, reply)
    }
  })
}

/** What takes long may answer later, and lets others come first. */
function answer(
  procedures: Procedures,
  { id, name, args }: Call,
  send: (reply: Reply) => void,
): void {
  const fail = (error: unknown): void => {
    if (isFatal(error)) throw error
    const { kind, cause } = toStoreError(error)
    const overload = error instanceof StoreOverloaded && { overload: error.message }
    send({ id, failure: { kind, cause, ...overload } })
  }
  try {
    const procedure = procedures[name]
    if (procedure === undefined) throw new Error(`There is no procedure ${name}.`)
    // The types of WorkerCalls make sure that the arguments are the procedure's.
    const result = procedure(...(args as never[]))
    // What `fail` throws ends the thread, as an error nobody awaits does.
    if (result instanceof Promise) void result.then((late) => send({ id, result: late }), fail)
    else send({ id, result })
  } catch (error) {
    fail(error)
  }
}
