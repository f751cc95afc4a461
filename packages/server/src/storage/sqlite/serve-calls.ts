// The worker's side of worker-calls.ts for threads that answer each call by itself.
import type { MessagePort } from 'node:worker_threads'
import { isFatal, toStoreError } from './failure.ts'
import type { Call, Procedures, Reply } from './worker-calls.ts'

export function serveCalls(
  port: MessagePort,
  procedures: Procedures,
  { onClose }: { onClose: () => void },
): void {
  port.on('message', ({ id, name, args }: Call) => {
    if (name === 'close') {
      onClose()
      port.postMessage({ id, result: undefined } satisfies Reply)
      port.close()
      return
    }
    port.postMessage(answer(procedures, { id, name, args }))
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
