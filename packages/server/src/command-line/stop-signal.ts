// Whether somebody asked the process to stop, with Ctrl-C or as a supervisor does. One wish may come as
// several signals: npm passes on what the terminal has sent to both, and supervisors signal a process
// and then its group. What comes within a moment is therefore one wish; whoever asks again after it is
// impatient, and ends the process at once.
// decisions/2026-11-21-command-line.md
import { constants } from 'node:os'

/** Copies of a signal come within milliseconds, and nobody presses Ctrl-C again for its result so soon. */
export const REPEAT_MS = 1_000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Lets signals end the process until what is returned is called. They do so by themselves, but not to the first
 * process of a container, where one that nobody listens to is lost.
 */
export function letSignalsEndFirstProcess(): () => void {
  if (process.pid !== 1) return () => undefined
  const end = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal])
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/** From the call on, the first signal aborts what is returned instead of ending the process. */
export function onStopSignal(): AbortSignal {
  const wish = new AbortController()
  const stop = (): void => {
    if (wish.signal.aborted) return
    wish.abort()
    // What came while the process was busy is heard behind the timers and before the immediates.
    setTimeout(() => setImmediate(letSignalsEndIt), REPEAT_MS).unref()
  }
  const letSignalsEndIt = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return wish.signal
}
