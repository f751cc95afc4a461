// Where a command that asks a running server has the API key from: a variable or a file, since others on the
// machine can read the arguments of a process. Nothing that is said about it repeats the key.
import { isApiKey } from '../core/api-key.ts'
import { UsageFailure } from './failure.ts'
import { fileName, readText } from './input-file.ts'

export type KeyFlags = { keyFromEnv?: string; keyFile?: string }

/** One of the two. */
export type KeyPlace = { keyFromEnv: string | undefined; keyFile: string | undefined }

/** Both options, as commander takes them. */
export const KEY_OPTIONS = [
  ['--key-from-env <name>', 'the environment variable that holds the API key'],
  ['--key-file <file>', 'the file that holds the API key', fileName],
] as const

/** Throws a UsageFailure unless one place is named, and by its name. */
export function keyPlaceOf({ keyFromEnv, keyFile }: KeyFlags): KeyPlace {
  if ((keyFromEnv === undefined) === (keyFile === undefined)) {
    throw new UsageFailure(
      'Say where the API key is, with --key-from-env or --key-file. It is no argument itself: ' +
        'others on the machine can read those.',
    )
  }
  if ([keyFromEnv, keyFile].some((place) => place !== undefined && isApiKey(place))) {
    throw new UsageFailure(
      'That is the API key itself. Name the variable or the file that holds it: --key-from-env KEY, and not ' +
        '--key-from-env $KEY. Whoever else is on this machine could read it: revoke it if somebody is.',
    )
  }
  return { keyFromEnv, keyFile }
}

/** Throws a failure that never repeats it. */
export function readKey(place: KeyPlace): string {
  const { keyFromEnv = '', keyFile } = place
  const key = (keyFile === undefined ? process.env[keyFromEnv] : readText(keyFile))?.trim()
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageFailure(`Nothing can be sent: ${described(place)} holds no API key.`)
}

/** What to do when a server does not take the key. */
export const otherKey = (place: KeyPlace): string =>
  `The key was read from ${described(place)}: put an active key of this server there. The ` +
  'console shows which there are and makes new ones, and so does `mnemograph keys`.'

const described = ({ keyFromEnv, keyFile }: KeyPlace): string =>
  keyFile === undefined ? `the variable ${keyFromEnv}` : `the file ${keyFile}`
