// Lets go at once of whatever nothing reaches any more: what a test measures after it is what is kept.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Kind = 'major' | 'minor'

setFlagsFromString('--expose-gc')
const collect: (options: { type: Kind }) => void = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')

/** `minor` is of young objects alone. */
export const collectGarbage = (type: Kind = 'major'): void => collect({ type })
