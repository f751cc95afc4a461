// A worker that ends in the way it is told to, in the midst of a call.
import { StoreOverloaded } from '../../store.ts'
import type { Leaving } from '../threads/leaving.ts'
import { serveCalls } from '../threads/serve-calls.ts'

const notes: unknown[] = []

export const procedures = {
  echo: (value: unknown): unknown => value,
  echoLater: (value: unknown) => async (): Promise<unknown> => value,
  noteWhenLeft:
    (who: string) =>
    ({ signal }: Leaving) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          notes.push(`${who} left`)
          resolve()
        })
      }),
  note: (value: unknown): unknown => notes.push(value),
  noteFor: (who: string, no: number): unknown => notes.push(`${who} ${no}`),
  noted: (): unknown[] => notes,
  wake: (cell: Int32Array): number => {
    Atomics.store(cell, 0, 1)
    return Atomics.notify(cell, 0)
  },
  hold: (cell: Int32Array): string => Atomics.wait(cell, 0, 0, 10_000),
  fail: (message: string): never => {
    throw new Error(message)
  },
  overload: (message: string): never => {
    throw new StoreOverloaded(message)
  },
  exit: (status: number): never => process.exit(status),
  failFatally: (): never => {
    throw Object.assign(new Error('fsync'), { code: 'SQLITE_IOERR_FSYNC' })
  },
  close: (): void => undefined,
}

serveCalls(procedures, { onClose: () => undefined })
