// Whether somebody asked a long command to stop, with Ctrl-C or as a supervisor does.
/** From the call on, the signals no longer end the process; the returned function tells of one. */
export function onStopSignal(): () => boolean {
  let isStopped = false
  const stop = (): void => {
    isStopped = true
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return () => isStopped
}
