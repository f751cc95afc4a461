// The nursery of the thread that answers, once the service has started. It holds the requests under way:
// one that waits for the model outlives many collections of a small nursery, and each of these wakes four
// threads. It begins small (bin/mnemograph.js), since a start would fill it with what never dies.
// decisions/2026-11-21-resident-memory.md
import { setFlagsFromString } from 'node:v8'

/** Of this thread alone: the others were given limits when they were started. */
export function letNurseryGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
