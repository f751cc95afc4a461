// Lets whoever waits for an answer of a server on this machine go before this process.
import { constants, setPriority } from 'node:os'

export function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it, and the work can be done without.
  }
}
