// Who gets a job that waits at a worker behind another one: the first to take its ticket, be it the worker
// that begins it or the pool that calls it back for something more urgent. A message cannot be unsent, so
// both threads share a cell for the job under way and one for the job behind it.

export type Ticket = { number: number; cell: 0 | 1 }
export type TicketCells = Int32Array<SharedArrayBuffer>

const CELLS = 2
/** Then they begin anew: a cell holds 32 bits, and a worker may see more jobs than that. */
const NUMBER_MAX = 0x7fffffff

export class Tickets {
  readonly cells: TicketCells
  #issued: number

  /** Those of a worker get the cells of its pool. */
  constructor(cells: TicketCells = newCells(), issued = 0) {
    this.cells = cells
    this.#issued = issued
  }

  /** `before`: the job that this one waits behind, whose cell is still needed. */
  issue(before?: Ticket): Ticket {
    this.#issued = (this.#issued % NUMBER_MAX) + 1
    const ticket: Ticket = { number: this.#issued, cell: before?.cell === 0 ? 1 : 0 }
    Atomics.store(this.cells, ticket.cell, ticket.number)
    return ticket
  }

  /** True once, and on one side only. */
  take({ number, cell }: Ticket): boolean {
    return Atomics.compareExchange(this.cells, cell, number, 0) === number
  }
}

const newCells = (): TicketCells =>
  new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))
