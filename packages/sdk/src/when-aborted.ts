// A caller may give one signal to many calls. It has one listener for all of them, since Node 20 warns of a
// leak at eleven, and none once nothing waits for it.

type Waiting = { giveUps: Set<() => void>; tellAll: () => void }

const waitingFor = new WeakMap<AbortSignal, Waiting>()

/** Calls `giveUp` when the signal aborts, unless what is returned has been called. */
export function whenAborted(signal: AbortSignal | undefined, giveUp: () => void): () => void {
  if (!signal) return () => undefined
  const { giveUps, tellAll } = waitingFor.get(signal) ?? nobodyYet(signal)
  giveUps.add(giveUp)
  // The same function is added once, however often this is said.
  signal.addEventListener('abort', tellAll)
  return () => {
    giveUps.delete(giveUp)
    if (giveUps.size === 0) signal.removeEventListener('abort', tellAll)
  }
}

function nobodyYet(signal: AbortSignal): Waiting {
  const giveUps = new Set<() => void>()
  const tellAll = (): void => {
    for (const giveUp of giveUps) giveUp()
  }
  const waiting = { giveUps, tellAll }
  waitingFor.set(signal, waiting)
  return waiting
}
