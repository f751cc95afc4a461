// The threads of the store, and how they end. The writer tells the searcher of its changes
// through a channel of their own, in the order of the commits.
import { MessageChannel } from 'node:worker_threads'
import type { StoreError } from '../../store.ts'
import { IndexedSpaces } from '../index/indexed-spaces.ts'
import type { DatabaseFile } from '../log/checkpoint.ts'
import type { Copied, CopierData, CopyProcedures } from './copier.worker.ts'
import type { ExploreProcedures } from './explorer.worker.ts'
import { LateThread } from './late-thread.ts'
import type { ReadProcedures } from './reads.ts'
import type { SearcherData, SearchProcedures } from './searcher.worker.ts'
import { type Procedures, WorkerCalls } from './worker-calls.ts'
import type { WriterData } from './writer.worker.ts'
import type { WriteProcedures } from './writes.ts'

export type Threads = {
  writer: WorkerCalls<WriteProcedures>
  /** Moves the log for the writer. Begins when it is needed. */
  copier: LateThread<CopyProcedures>
  reader: WorkerCalls<ReadProcedures>
  searcher: WorkerCalls<SearchProcedures & { close: () => void }>
  /** Begins a while after the start, and ends by itself: only large stores need it. */
  checker: LateThread<Procedures>
  /** Begins with its first use: most servers never need it. */
  explorer: LateThread<ExploreProcedures>
}

/** What a call of these leaves dies young. What the writer has in hand lives until it is committed. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

const sourceOf = (name: string): URL => new URL(`./${name}.worker.ts`, import.meta.url)

export function startThreads(file: DatabaseFile, onDeath: (error: unknown) => void): Threads {
  const { port1: searcher, port2: changes } = new MessageChannel()
  const { port1: copierOfWriter, port2: writer } = new MessageChannel()
  const indexed = new IndexedSpaces().memory
  const late = <P extends Procedures>(name: string, data: unknown): LateThread<P> =>
    new LateThread(
      (onFailedStart) =>
        new WorkerCalls(sourceOf(name), { data, resourceLimits, onDeath, onFailedStart }),
    )
  const copier = late<CopyProcedures>('copier', { file } satisfies CopierData)
  writer.on('message', () => {
    const say = (copied: Copied): void => writer.postMessage(copied)
    const tellFailure = (error: StoreError): void => {
      if (error.kind === 'fault') onDeath(error)
      say({ done: undefined })
    }
    copier.get().call('copy').then(say, tellFailure)
  })
  writer.unref()
  return {
    writer: new WorkerCalls(sourceOf('writer'), {
      data: { file, searcher, indexed, copier: copierOfWriter } satisfies WriterData,
      transfer: [searcher, copierOfWriter],
      onDeath,
    }),
    copier,
    reader: new WorkerCalls(sourceOf('reader'), {
      data: { file: file.path },
      resourceLimits,
      onDeath,
    }),
    searcher: new WorkerCalls(sourceOf('searcher'), {
      data: { file: file.path, changes, indexed } satisfies SearcherData,
      resourceLimits,
      transfer: [changes],
      onDeath,
    }),
    checker: late('checker', { file: file.path }),
    explorer: late('explorer', { file: file.path }),
  }
}

/** Finishes what was accepted. Readers end first, so that they hold up no checkpoint. */
export async function endThreads(threads: Threads): Promise<void> {
  const { writer, copier, reader, searcher, explorer, checker } = threads
  checker.forget()
  // A checker that has ended answers nothing, and one that hears of it ends with its next step.
  checker.begun?.call('close').catch(() => undefined)
  await checker.begun?.ended()
  await end(explorer)
  await reader.call('close')
  await searcher.call('close')
  await writer.call('close')
  await end(copier)
  await Promise.all([reader, searcher, writer].map((thread) => thread.ended()))
}

/** One that cannot begin has ended as well. */
async function end(late: LateThread<{ close: () => void }>): Promise<void> {
  const { begun } = late
  await begun?.call('close').catch(() => undefined)
  await begun?.ended()
}

/** Whatever they do, such as waiting for one that has died. */
export async function terminateThreads(threads: Threads): Promise<void> {
  const { writer, copier, reader, searcher, explorer, checker } = threads
  checker.forget()
  const all = [reader, searcher, writer, copier.begun, explorer.begun, checker.begun]
  await Promise.all(all.map((thread) => thread?.terminate()))
}
