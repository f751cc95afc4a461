// The three threads of the store, and how they end. The writer tells the searcher of its changes
// through a channel of their own, in the order of the commits.
import { MessageChannel } from 'node:worker_threads'
import type { DatabaseFile } from './checkpoint.ts'
import type { ReadProcedures } from './reads.ts'
import type { SearcherData, SearchProcedures } from './searcher.worker.ts'
import { WorkerCalls } from './worker-calls.ts'
import type { WriterData } from './writer.worker.ts'
import type { WriteProcedures } from './writes.ts'

export type Threads = {
  writer: WorkerCalls<WriteProcedures>
  reader: WorkerCalls<ReadProcedures>
  searcher: WorkerCalls<SearchProcedures & { close: () => void }>
}

export function startThreads(file: DatabaseFile, onDeath: (error: unknown) => void): Threads {
  const { port1: searcher, port2: changes } = new MessageChannel()
  return {
    writer: new WorkerCalls(new URL('./writer.worker.ts', import.meta.url), {
      data: { file, searcher } satisfies WriterData,
      transfer: [searcher],
      onDeath,
    }),
    reader: new WorkerCalls(new URL('./reader.worker.ts', import.meta.url), {
      data: { file: file.path },
      onDeath,
    }),
    searcher: new WorkerCalls(new URL('./searcher.worker.ts', import.meta.url), {
      data: { file: file.path, changes } satisfies SearcherData,
      transfer: [changes],
      onDeath,
    }),
  }
}

/** Finishes what was accepted. Readers end first, so that they hold up no checkpoint. */
export async function endThreads({ writer, reader, searcher }: Threads): Promise<void> {
  await reader.call('close')
  await searcher.call('close')
  await writer.call('close')
  await Promise.all([reader.ended(), searcher.ended(), writer.ended()])
}

/** For threads of which one has died. */
export async function terminateThreads({ writer, reader, searcher }: Threads): Promise<void> {
  await Promise.all([reader.terminate(), searcher.terminate(), writer.terminate()])
}
