// Lets the calling thread, and whatever it starts, step back behind the others of the process. The
// model takes all the time that it can get: with every core busy embedding, a thread that only moves
// bytes or reads a row would wait for whole texts. What nobody else wants is still the model's.
// decisions/2026-11-21-threads-under-load.md
import { getPriority, setPriority } from 'node:os'

/** So that another thread gets three times the share of one that stepped back. */
const STEPS = 5
const LOWEST = 19

/** Does nothing where priorities are those of a process, as everywhere but on Linux. */
export function stepBehindOtherThreads(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(getPriority() + STEPS, LOWEST))
  } catch {
    // A sandbox may forbid it, and the model works without.
  }
}
