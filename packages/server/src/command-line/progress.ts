// How far a long command has come: on a terminal one line that is written over, elsewhere a line
// every few seconds, so that a log stays readable. And why it does not go on, when it waits for others.
export type Output = { write(text: string): unknown; isTTY?: boolean }

const TERMINAL_INTERVAL_MS = 200
const LOG_INTERVAL_MS = 5_000
const CLEAR_LINE = '\r\u001b[K'

export class Progress {
  readonly #output: Output
  readonly #things: string
  readonly #now: () => number
  #first: { atMs: number; done: number } | undefined
  #shownAtMs = Number.NEGATIVE_INFINITY
  #latest: { line: string; isShown: boolean } | undefined
  #isHeldUp = false

  /** `things` are what is counted. */
  constructor(output: Output, things = 'memories', now: () => number = () => performance.now()) {
    this.#output = output
    this.#things = things
    this.#now = now
  }

  /** `all` is undefined when nobody knows it yet; `aside` is said behind what is done. */
  show(done: number, all: number | undefined, aside = ''): void {
    this.#isHeldUp = false
    const nowMs = this.#now()
    this.#first ??= { atMs: nowMs, done }
    const run = { done: done - this.#first.done, tookMs: nowMs - this.#first.atMs }
    this.#latest = { line: progressLine(done, all, run, `${this.#things}${aside}`), isShown: false }
    const intervalMs = this.#output.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS
    if (nowMs - this.#shownAtMs < intervalMs) return
    this.#shownAtMs = nowMs
    this.#write()
  }

  /** Says so on a line of its own, once until it goes on. */
  heldUp(why: string): void {
    if (this.#isHeldUp) return
    this.#isHeldUp = true
    this.end()
    this.#output.write(`${why}\n`)
  }

  /** Shows where it ended; what follows begins on a line of its own. */
  end(): void {
    if (this.#latest === undefined) return
    if (!this.#latest.isShown) this.#write()
    if (this.#output.isTTY) this.#output.write('\n')
    this.#latest = undefined
  }

  #write(): void {
    if (this.#latest === undefined) return
    const { line } = this.#latest
    this.#output.write(this.#output.isTTY ? `${CLEAR_LINE}${line}` : `${line}\n`)
    this.#latest.isShown = true
  }
}

/** `run` is what happened since the start of this process: only that tells the rate. */
export function progressLine(
  done: number,
  all: number | undefined,
  run: { done: number; tookMs: number },
  things: string,
): string {
  const line = share(done, all, things)
  if (run.done <= 0 || run.tookMs <= 0) return line
  const perSecond = run.done / (run.tookMs / 1_000)
  const left = all !== undefined && done < all ? `, ${duration((all - done) / perSecond)} left` : ''
  return `${line}, ${perSecond.toFixed(perSecond < 10 ? 1 : 0)} a second${left}`
}

function share(done: number, all: number | undefined, things: string): string {
  if (all === undefined) return `${done} ${things}`
  return `${done} of ${all} ${things} (${all === 0 ? 100 : Math.floor((100 * done) / all)} %)`
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
