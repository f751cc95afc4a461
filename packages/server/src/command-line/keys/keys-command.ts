// The words of `mnemograph keys`.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { NAME_LENGTH_MAX } from '../../contract/bounds.ts'
import { PLANS, type Plan, RATE_LIMIT_NONE } from '../../contract/plans.ts'
import { boundedText } from '../bounded-text.ts'
import type { Printed } from '../output.ts'

type Limits<Limit> = { readLimit?: Limit; writeLimit?: Limit; searchLimit?: Limit }
type CreateOptions = Limits<number> & {
  name: string
  plan: Plan
}
type ChangeOptions = Limits<number | 'default'> & { plan?: Plan }

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('create, list, change and revoke API keys')
  keys
    .command('create')
    .description('create a key with a new, empty space; it is shown only this once')
    .requiredOption('--name <name>', 'what the key is for', boundedText(NAME_LENGTH_MAX))
    .addOption(new Option('--plan <plan>', 'monthly quota').choices(PLANS).default('free'))
    .option('--read-limit <n|none>', 'reads a minute', rateLimit)
    .option('--write-limit <n|none>', 'writes a minute', rateLimit)
    .option('--search-limit <n|none>', 'searches a minute', rateLimit)
    .option('--json', 'print one JSON object')
    .action(async (options: CreateOptions & Printed) => {
      const { createKeyCommand } = await import('./keys.ts')
      const { name, plan, readLimit, writeLimit, searchLimit } = options
      const limits = { read: readLimit, write: writeLimit, search: searchLimit }
      await createKeyCommand(readConfig(), { name, plan, limits }, options)
    })
  keys
    .command('list')
    .description('list all keys, revoked ones too')
    .option('--json', 'print a JSON array')
    .action(async (printed: Printed) => {
      const { listKeysCommand } = await import('./keys.ts')
      await listKeysCommand(readConfig(), printed)
    })
  keys
    .command('change')
    .description('give a key another plan or other limits: they hold from the next request on')
    .argument('<key-id>', 'the id that "keys list" shows')
    .addOption(new Option('--plan <plan>', 'monthly quota').choices(PLANS))
    .option('--read-limit <n|none|default>', 'reads a minute', rateLimitOrDefault)
    .option('--write-limit <n|none|default>', 'writes a minute', rateLimitOrDefault)
    .option('--search-limit <n|none|default>', 'searches a minute', rateLimitOrDefault)
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: ChangeOptions & Printed, command: Command) => {
      const { plan, readLimit, writeLimit, searchLimit } = options
      const limits = { read: readLimit, write: writeLimit, search: searchLimit }
      if ([plan, ...Object.values(limits)].every((value) => value === undefined)) {
        command.error(
          'error: nothing to change: give --plan, --read-limit, --write-limit or --search-limit',
        )
      }
      const { changeKeyCommand } = await import('./keys.ts')
      await changeKeyCommand(readConfig(), id, { plan, limits }, options)
    })
  keys
    .command('revoke')
    .description('revoke a key: it is refused from the next request on')
    .argument('<key-id>', 'the id that "keys list" shows')
    .option('--json', 'print one JSON object')
    .action(async (id: string, printed: Printed) => {
      const { revokeKeyCommand } = await import('./keys.ts')
      await revokeKeyCommand(readConfig(), id, printed)
    })
}

const rateLimitOrDefault = (text: string): number | 'default' =>
  text === 'default' ? text : rateLimit(text)

function rateLimit(text: string): number {
  if (text === 'none') return RATE_LIMIT_NONE
  const limit = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (limit < RATE_LIMIT_NONE) return limit
  const greatest = (RATE_LIMIT_NONE - 1).toLocaleString('en')
  throw new InvalidArgumentError(
    `It must be a whole number of requests a minute from 1 to ${greatest}, or none.`,
  )
}
