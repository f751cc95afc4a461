// Holds up a whole thread, between tries of what has to be done before its next statement: opening a database,
// writing the last lines of a process.

export function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
