// The `keys` commands. They write to the store directly, also while servers use it, which see what
// they did with their very next request.
import type { Config } from '../../config.ts'
import { RATE_LIMIT_NONE } from '../../contract/plans.ts'
import { systemClock } from '../../core/clock.ts'
import { createIdentify } from '../../core/ids.ts'
import { type CreateKey, createKey, toCaller } from '../../core/keys.ts'
import { toTimestamp } from '../../core/timestamp.ts'
import type { KeyChange, KeyRecord } from '../../storage/records.ts'
import { type Administration, StoreError } from '../../storage/store.ts'
import { hasStore, openAdministration, placeOf } from '../../store-of-config.ts'
import { CommandFailure } from '../failure.ts'
import { type Printed, print, printSecret, whenKeyIsLost } from '../output.ts'
import { printableJson } from '../printable.ts'
import { keyLines, keyTable } from './key-table.ts'

async function withKeys<Result>(
  config: Config,
  work: (keys: Administration['keys']) => Promise<Result>,
): Promise<Result> {
  const { keys, close } = await openAdministration(config)
  try {
    return await work(keys)
  } finally {
    await close()
  }
}

/** Throws a CommandFailure when there is no such key. */
async function ifThere(
  config: Config,
  id: string,
  work: (keys: Administration['keys']) => Promise<KeyRecord | undefined>,
): Promise<KeyRecord> {
  const key = (await hasStore(config)) ? await withKeys(config, work) : undefined
  if (key !== undefined) return key
  throw new CommandFailure(`There is no key with the id ${id} in ${placeOf(config)}.`)
}

export async function createKeyCommand(
  config: Config,
  options: CreateKey,
  { json }: Printed,
): Promise<void> {
  const identify = createIdentify(systemClock)
  const { id, key, createdAt } = await withKeys(config, (keys) =>
    createKey({ keys, identify }, options).catch(explainSilence),
  )
  if (!json) {
    await printSecret(`${key}\n`, whenKeyIsLost(id))
    process.stderr.write(`Key ${id} was created. It is shown only this once: save it now.\n`)
    return
  }
  const { name, plan } = options
  const made = { id, name, key, plan, status: 'active', createdAt: toTimestamp(createdAt) }
  await printSecret(`${printableJson(made)}\n`, whenKeyIsLost(id))
}

/** Nobody knows whether the key was made, and nobody has seen it. */
function explainSilence(error: unknown): never {
  if (!(error instanceof StoreError && error.kind === 'unavailable')) throw error
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  throw new CommandFailure(
    `The store does not answer${reason}. The key may have been made all the same: look with ` +
      '"mnemograph keys list", and revoke what nobody has seen.',
  )
}

export async function listKeysCommand(config: Config, { json }: Printed): Promise<void> {
  const keys = (await hasStore(config)) ? await withKeys(config, (store) => store.list()) : []
  const rows = keys.map(({ id, name, plan, status, createdAt, lastUsedAt }) => ({
    id,
    name,
    plan,
    status,
    createdAt: toTimestamp(createdAt),
    lastUsedAt: lastUsedAt === undefined ? null : toTimestamp(lastUsedAt),
  }))
  if (json) return print(`${printableJson(rows)}\n`)
  if (keys.length === 0) process.stderr.write(`There is no key yet in ${placeOf(config)}.\n`)
  else await print(process.stdout.isTTY ? keyTable(keys) : keyLines(keys))
}

export async function changeKeyCommand(
  config: Config,
  id: string,
  change: KeyChange,
  { json }: Printed,
): Promise<void> {
  const key = await ifThere(config, id, (keys) => keys.change(id, change))
  const { read, write, search } = toCaller(key).rateLimits
  const shown = (limit: number) => (limit === RATE_LIMIT_NONE ? 'none' : limit)
  const limits = { read: shown(read), write: shown(write), search: shown(search) }
  if (json) return print(`${printableJson({ id: key.id, plan: key.plan, limits })}\n`)
  // A key has the name of the one that it replaced, which is easily taken for it.
  const stays = key.status === 'revoked' ? ' It is revoked, and stays so.' : ''
  process.stderr.write(
    `Key ${key.id} has the plan ${key.plan}, and its limits a minute are: reads ${limits.read}, ` +
      `writes ${limits.write}, searches ${limits.search}.${stays}\n`,
  )
}

export async function revokeKeyCommand(
  config: Config,
  id: string,
  { json }: Printed,
): Promise<void> {
  const key = await ifThere(config, id, (keys) => keys.revoke(id))
  if (json) return print(`${printableJson({ id: key.id, status: key.status })}\n`)
  process.stderr.write(`Key ${key.id} is revoked.\n`)
}
