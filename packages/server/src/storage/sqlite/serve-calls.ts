// The worker's side of worker-calls.ts for threads that answer each call by itself.
import type { MessagePort } from 'node:worker_threads'
import { isFatal, toStoreError } from './failure.ts'
import type { Call, Procedures, Reply } from './worker-calls.ts'

export function serveCalls(
  port: MessagePort,
  procedures: Procedures,
  { onClose }: { onClose: () => void },
): void {
  const reply = (each: Reply): void => port.postMessage([each])
  port.on('message', (calls: Call[]) => {
    for (const call of calls) {
      if (call.name === 'close') {
        onClose()
        reply({ id: call.id, result: undefined })
        port.close()
        return
      }
      // At once: a short answer does not wait for a long one.
      reply(answer(procedures, call))
    }
  })
}

function answer(procedures: Procedures, { id, name, args }: Call): Reply {
  try {
    const procedure = procedures[name]
    if (procedure === undefined) throw new Error(`There is no procedure ${name}.`)
    // The types of WorkerCalls make sure that the arguments are the procedure's.
    return { id, result: procedure(...(args as never[])) }
  } catch (error) {
    if (isFatal(error)) throw error
    const { kind, cause } = toStoreError(error)
    return { id, failure: { kind, cause } }
  }
}
