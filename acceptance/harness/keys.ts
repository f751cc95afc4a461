/**
 * Keys, made as operators do it: by the command line, while the server runs on the same folder.
 * By default a key here has no limits and no quota, so that a case meets a limit only where it
 * asks for one.
 */
import Type, { type Static } from 'typebox'
import { read } from './read.ts'
import { type CommandResult, runCommand, type Settings } from './server-process.ts'

const Status = Type.Union([Type.Literal('active'), Type.Literal('revoked')])

export const IssuedKey = Type.Object(
  {
    id: Type.String({ pattern: '^key_[A-Za-z0-9_-]{10,}$' }),
    name: Type.String(),
    key: Type.String({ pattern: '^mng_[0-9A-Za-z]{49}$' }),
    plan: Type.Union([Type.Literal('free'), Type.Literal('hobby'), Type.Literal('enterprise')]),
    status: Status,
    createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  },
  { additionalProperties: false },
)
export type IssuedKey = Static<typeof IssuedKey>

const ListedKeys = Type.Array(
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      plan: Type.String(),
      status: Status,
      createdAt: Type.String(),
      lastUsedAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    },
    { additionalProperties: false },
  ),
)
type ListedKeys = Static<typeof ListedKeys>

type Limit = number | 'none'

export interface KeyOptions {
  readonly name?: string
  readonly plan?: 'free' | 'hobby' | 'enterprise'
  /** 'default' leaves the flag out, so that the documented default holds. */
  readonly limits?: 'default' | { read?: Limit; write?: Limit; search?: Limit }
}

export async function issueKey(
  dataDir: string,
  options: KeyOptions = {},
  settings: Settings = {},
): Promise<IssuedKey> {
  const { name = 'acceptance', plan = 'enterprise', limits = {} } = options
  const args = ['keys', 'create', '--name', name, '--plan', plan, '--json']
  if (limits !== 'default') {
    const { read: reads = 'none', write: writes = 'none', search: searches = 'none' } = limits
    args.push('--read-limit', `${reads}`, '--write-limit', `${writes}`)
    args.push('--search-limit', `${searches}`)
  }
  return read(IssuedKey, printed(await runCommand(dataDir, args, settings)))
}

export async function listKeys(dataDir: string): Promise<ListedKeys> {
  return read(ListedKeys, printed(await runCommand(dataDir, ['keys', 'list', '--json'])))
}

export async function changeKey(
  dataDir: string,
  id: string,
  ...options: string[]
): Promise<unknown> {
  return printed(await runCommand(dataDir, ['keys', 'change', id, ...options, '--json']))
}

export async function revokeKey(dataDir: string, id: string): Promise<unknown> {
  return printed(await runCommand(dataDir, ['keys', 'revoke', id, '--json']))
}

/** The one JSON value on stdout of a command that has to succeed. */
function printed(result: CommandResult): unknown {
  if (result.status !== 0) {
    throw new Error(`The command failed with ${result.status}: ${result.stderr}`)
  }
  const value: unknown = JSON.parse(result.stdout)
  return value
}
