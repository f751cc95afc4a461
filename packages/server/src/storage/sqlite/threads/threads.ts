// The threads of the store, and how they end. The writer tells the searcher of its changes
// through a channel of their own, in the order of the commits.
import { MessageChannel } from 'node:worker_threads'
import { IndexedSpaces } from '../index/indexed-spaces.ts'
import type { DatabaseFile } from '../log/checkpoint.ts'
import type { CopierData } from './copier.worker.ts'
import type { ExploreProcedures } from './explorer.worker.ts'
import type { ReadProcedures } from './reads.ts'
import type { SearcherData, SearchProcedures } from './searcher.worker.ts'
import { type Procedures, WorkerCalls } from './worker-calls.ts'
import type { WriterData } from './writer.worker.ts'
import type { WriteProcedures } from './writes.ts'

export type Threads = {
  writer: WorkerCalls<WriteProcedures>
  /** Moves the log for the writer, which alone talks to it, and ends with it. Begins when it is needed. */
  copier: Lazy<WorkerCalls<Procedures>>
  reader: WorkerCalls<ReadProcedures>
  searcher: WorkerCalls<SearchProcedures & { close: () => void }>
  /** Begins a while after the start, and ends by itself: only large stores need it. */
  checker: Lazy<WorkerCalls<Procedures>>
  /** Begins with its first use: most servers never need it. */
  explorer: Lazy<WorkerCalls<ExploreProcedures>>
}

/** What a call of these leaves dies young. What the writer has in hand lives until it is committed. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

class Lazy<Value> {
  readonly #make: () => Value
  #made: Value | undefined
  #later: NodeJS.Timeout | undefined

  constructor(make: () => Value) {
    this.#make = make
  }

  get(): Value {
    this.#made ??= this.#make()
    return this.#made
  }

  /** Made when nobody has asked for it until then. */
  getLater(delayMs: number): void {
    this.#later = setTimeout(() => this.get(), delayMs).unref()
  }

  /** From now on it is made no more by itself. */
  forget(): void {
    clearTimeout(this.#later)
  }

  /** Nothing when it was never used. */
  get made(): Value | undefined {
    return this.#made
  }
}

export function startThreads(file: DatabaseFile, onDeath: (error: unknown) => void): Threads {
  const { port1: searcher, port2: changes } = new MessageChannel()
  const { port1, port2: writer } = new MessageChannel()
  const indexed = new IndexedSpaces().memory
  const copier = new Lazy(
    () =>
      new WorkerCalls(new URL('./copier.worker.ts', import.meta.url), {
        data: { file, writer } satisfies CopierData,
        resourceLimits,
        transfer: [writer],
        onDeath,
      }),
  )
  writer.once('message', () => copier.get())
  writer.unref()
  return {
    writer: new WorkerCalls(new URL('./writer.worker.ts', import.meta.url), {
      data: { file, searcher, indexed, copier: port1 } satisfies WriterData,
      transfer: [searcher, port1],
      onDeath,
    }),
    copier,
    reader: new WorkerCalls(new URL('./reader.worker.ts', import.meta.url), {
      data: { file: file.path },
      resourceLimits,
      onDeath,
    }),
    searcher: new WorkerCalls(new URL('./searcher.worker.ts', import.meta.url), {
      data: { file: file.path, changes, indexed } satisfies SearcherData,
      resourceLimits,
      transfer: [changes],
      onDeath,
    }),
    checker: new Lazy(
      () =>
        new WorkerCalls(new URL('./checker.worker.ts', import.meta.url), {
          data: { file: file.path },
          resourceLimits,
          onDeath,
        }),
    ),
    explorer: new Lazy(
      () =>
        new WorkerCalls(new URL('./explorer.worker.ts', import.meta.url), {
          data: { file: file.path },
          resourceLimits,
          onDeath,
        }),
    ),
  }
}

/** Finishes what was accepted. Readers end first, so that they hold up no checkpoint. */
export async function endThreads(threads: Threads): Promise<void> {
  const { writer, copier, reader, searcher, explorer, checker } = threads
  checker.forget()
  // A checker that has ended answers nothing, and one that hears of it ends with its next step.
  checker.made?.call('close').catch(() => undefined)
  await checker.made?.ended()
  await explorer.made?.call('close')
  await reader.call('close')
  await searcher.call('close')
  await writer.call('close')
  const all = [reader, searcher, writer, copier.made, explorer.made]
  await Promise.all(all.map((thread) => thread?.ended()))
}

/** For threads of which one has died. */
export async function terminateThreads(threads: Threads): Promise<void> {
  const { writer, copier, reader, searcher, explorer, checker } = threads
  checker.forget()
  const all = [reader, searcher, writer, copier.made, explorer.made, checker.made]
  await Promise.all(all.map((thread) => thread?.terminate()))
}
