// Who gets a job that waits at a worker behind another one: the first to take its ticket, be it the worker
// that begins it or the pool that calls it back for something more urgent. A message cannot be unsent, so
// both threads share a cell for each job that is at the worker. It also tells the pool what became of a job
// whose worker died.

export type Ticket = { number: number; cell: number }
export type TicketCells = Int32Array<SharedArrayBuffer>

/** Then they begin anew: a cell holds 32 bits, and a worker may see more jobs than that. */
const NUMBER_MAX = 0x7fffffff
const FREE = 0

export class Tickets {
  readonly cells: TicketCells
  #issued: number

  /** Those of a worker get the cells of its pool. */
  constructor(cells: TicketCells, issued = 0) {
    this.cells = cells
    this.#issued = issued
  }

  /** Throws when as many jobs as there are cells wait at the worker, or are begun. */
  issue(): Ticket {
    const cell = this.cells.findIndex((_, place) => Atomics.load(this.cells, place) === FREE)
    if (cell === -1) throw new Error('A worker was sent more jobs than it can have.')
    this.#issued = (this.#issued % NUMBER_MAX) + 1
    Atomics.store(this.cells, cell, this.#issued)
    return { number: this.#issued, cell }
  }

  /** By the pool, before the worker begins the job. False when it is too late. */
  callBack({ number, cell }: Ticket): boolean {
    return Atomics.compareExchange(this.cells, cell, number, FREE) === number
  }

  /** By the worker. False when the job was called back. */
  begin({ number, cell }: Ticket): boolean {
    return Atomics.compareExchange(this.cells, cell, number, -number) === number
  }

  /** By the worker: the job is done, told or not. */
  end({ number, cell }: Ticket): void {
    Atomics.compareExchange(this.cells, cell, -number, FREE)
  }

  /** Whether the worker is at it, or was when it died. */
  isBegun({ number, cell }: Ticket): boolean {
    return Atomics.load(this.cells, cell) === -number
  }
}

export const newCells = (count: number): TicketCells =>
  new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))
