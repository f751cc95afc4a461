// Lines that were read and are neither stored nor refused yet, in their order. When a connection breaks or a
// quota ends, it is known line by line which are left, which of these may have been stored all the same, and
// which behind them are decided: otherwise whoever goes on later would store some twice. Memory stays bounded,
// since only so many lines are read ahead of their answers.
// decisions/2026-11-21-bulk-import.md
import { type LineRange, united } from './line-ranges.ts'

const LINES_MAX = 1_024
const BYTES_MAX = 8 * 1024 * 1024

export type UndecidedLine = { number: number; bytes: Buffer; tries: number }

export class UndecidedLines {
  /** The first `#written` went out with this request. */
  #lines: UndecidedLine[] = []
  #written = 0
  /** The last line that was written to this request. */
  #lastWritten = 0
  /** The last line that was written to a request that broke. */
  #lastCutOff = 0
  /** Of all lines, those that were put back included. */
  #bytes = 0
  #putBack: UndecidedLine[] = []
  /** Those of which `decidedBehind` tells, and any in front of them. */
  #decided: LineRange[]

  /** `except` are decided from the beginning. */
  constructor(except: readonly LineRange[]) {
    this.#decided = [...except]
  }

  get isFull(): boolean {
    return this.#lines.length >= LINES_MAX || this.#bytes >= BYTES_MAX
  }

  get firstNumber(): number | undefined {
    return (this.#putBack[0] ?? this.#lines[0])?.number
  }

  /** What this request writes next. */
  get nextToWrite(): UndecidedLine | undefined {
    return this.#lines[this.#written]
  }

  /** What the next answer is about. */
  get nextToDecide(): UndecidedLine | undefined {
    return this.#lines[0]
  }

  /** Whether it was sent, with this request or one that broke: only its answer tells what became of it. */
  isMaybeStored(line: UndecidedLine | undefined): boolean {
    return line !== undefined && line.number <= Math.max(this.#lastWritten, this.#lastCutOff)
  }

  /** From the first to the last of those that may be stored and were not answered. */
  get unanswered(): LineRange | undefined {
    const lines = this.#lines.filter((line) => this.isMaybeStored(line))
    const [first, last] = [lines[0], lines.at(-1)]
    return first && last && { from: first.number, to: last.number }
  }

  decidedBehind(number: number): LineRange[] {
    return united(this.#decided).filter(({ to }) => to > number)
  }

  add(number: number, bytes: Buffer): void {
    this.#lines.push({ number, bytes, tries: 0 })
    this.#bytes += bytes.length
  }

  /** Those that were put back go first. */
  beginRequest(): void {
    this.#lines = [...this.#putBack.splice(0), ...this.#lines]
    this.#decided = this.decidedBehind(this.firstNumber ?? 0)
    this.#written = 0
  }

  /** A server that has said its last word has stored nothing else; of one that was cut off nobody knows. */
  endRequest({ isCutOff }: { isCutOff: boolean }): void {
    if (isCutOff) this.#lastCutOff = Math.max(this.#lastCutOff, this.#lastWritten)
    this.#lastWritten = 0
  }

  noteWritten({ number }: UndecidedLine): void {
    this.#written += 1
    this.#lastWritten = number
  }

  /** The line that was answered: it has to be put back or decided. Undefined when none was sent. */
  takeAnswered(): UndecidedLine | undefined {
    const line = this.#lines.shift()
    if (line !== undefined) this.#written -= 1
    return line
  }

  /** Goes out once more, with the next request. */
  putBack(line: UndecidedLine): void {
    this.#putBack.push(line)
  }

  /** One that was put back: it is decided. */
  leaveOut({ number, bytes }: UndecidedLine): void {
    this.#putBack = this.#putBack.filter((line) => line.number !== number)
    this.#decided.push({ from: number, to: number })
    this.#bytes -= bytes.length
  }

  decide({ number, bytes }: UndecidedLine): void {
    if (this.#putBack.length > 0) this.#decided.push({ from: number, to: number })
    this.#bytes -= bytes.length
  }
}
