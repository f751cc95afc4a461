// Ends the process whatever its threads do. `process.exit` waits for each of them, and one in native code, as
// the runtime of a model, may never come out of it. What was acknowledged is on the disk by then, and what is
// locked becomes free with the process.
import { logToStderr } from '../../log-destination.ts'

/** Says why, behind what the log has, and is gone: by SIGKILL, as nothing else ends all threads. */
export function endAtOnce(reason: string): void {
  const log = logToStderr()
  log.write(`mnemograph: ${reason}\n`)
  log.flushSync()
  process.kill(process.pid, 'SIGKILL')
}
