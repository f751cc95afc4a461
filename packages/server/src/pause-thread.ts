// Holds up a whole thread, for what has to be done before its next statement and can only be tried again: a
// database that is opened, the last lines of a process.

export function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
