// The command line: reads arguments, calls one function per command. Data goes to stdout, messages
// to stderr; exit status 1 when a thing cannot be done, 2 when the words make no sense.
// decisions/2026-11-21-command-line.md
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { ConfigError, readConfig } from '../config.ts'
import { isEmailAddress } from '../console/email-address.ts'
import { NAME_LENGTH_MAX } from '../contract/bounds.ts'
import { PLANS, type Plan, RATE_LIMIT_NONE } from '../contract/plans.ts'
import { isStorable } from '../contract/storable.ts'
import { EmbedderRefusal } from '../embedding/embedder.ts'
import { StoreRefusal } from '../storage/store.ts'
import type { CalibrateFlags } from './calibrate.ts'
import { EXIT_FAILURE, EXIT_USAGE } from './exit.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { addImportCommand } from './import-command.ts'
import { hearBrokenOutput, OutputClosed, print } from './output.ts'
import type { ReembedFlags } from './reembed.ts'

type CreateOptions = {
  name: string
  plan: Plan
  readLimit?: number
  writeLimit?: number
  searchLimit?: number
  json?: boolean
}

/** Each command loads what it needs: nobody waits for the modules of the others. */
function createProgram(onHelp: (text: string) => void): Command {
  const program = new Command('mnemograph')
    .description('A memory service for agents and apps.')
    .version(packageJson.version)
    .showHelpAfterError('Run it with --help to see what there is.')
    .configureOutput({ writeOut: onHelp })
    // Instead of ending the process with a status of its own; subcommands inherit it.
    .exitOverride()
  program
    .command('serve')
    .description('run the service')
    .action(async () => {
      const { serve } = await import('./serve.ts')
      await serve(readConfig())
    })

  const keys = program.command('keys').description('create, list and revoke API keys')
  keys
    .command('create')
    .description('create a key with a new, empty space; it is shown only this once')
    .requiredOption('--name <name>', 'what the key is for', keyName)
    .addOption(new Option('--plan <plan>', 'monthly quota').choices(PLANS).default('free'))
    .option('--read-limit <n|none>', 'reads a minute', rateLimit)
    .option('--write-limit <n|none>', 'writes a minute', rateLimit)
    .option('--search-limit <n|none>', 'searches a minute', rateLimit)
    .option('--json', 'print one JSON object')
    .action(async (options: CreateOptions) => {
      const { createKeyCommand } = await import('./keys.ts')
      await createKeyCommand(readConfig(), {
        name: options.name,
        plan: options.plan,
        limits: {
          read: options.readLimit,
          write: options.writeLimit,
          search: options.searchLimit,
        },
        json: options.json === true,
      })
    })
  keys
    .command('list')
    .description('list all keys, revoked ones too')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const { listKeysCommand } = await import('./keys.ts')
      await listKeysCommand(readConfig(), json === true)
    })
  keys
    .command('revoke')
    .description('revoke a key: it is refused from the next request on')
    .argument('<key-id>', 'the id that "keys list" shows')
    .option('--json', 'print one JSON object')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { revokeKeyCommand } = await import('./keys.ts')
      await revokeKeyCommand(readConfig(), id, json === true)
    })

  const accounts = program
    .command('accounts')
    .description('accounts of the console: first link, invitations, forgotten passwords')
  accounts
    .command('setup-link')
    .description('print a new link that makes the first account, the administrator')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const { setUpLinkCommand } = await import('./accounts.ts')
      await setUpLinkCommand(readConfig(), json === true)
    })
  accounts
    .command('invite')
    .description('print a link with which somebody makes an account of their own')
    .argument('<email>', 'their address', emailAddress)
    .addOption(
      new Option('--plans <plans...>', 'plans that they may choose for a key')
        .choices(PLANS)
        .default(['free']),
    )
    .option('--json', 'print one JSON object')
    .action(async (email: string, { plans, json }: { plans: Plan[]; json?: boolean }) => {
      const { inviteCommand } = await import('./accounts.ts')
      await inviteCommand(readConfig(), { email, plans, json: json === true })
    })
  accounts
    .command('reset')
    .description('print a link with which somebody chooses a new password')
    .argument('<email>', 'the address of the account', emailAddress)
    .option('--json', 'print one JSON object')
    .action(async (email: string, { json }: { json?: boolean }) => {
      const { resetCommand } = await import('./accounts.ts')
      await resetCommand(readConfig(), email, json === true)
    })
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const { listAccountsCommand } = await import('./accounts.ts')
      await listAccountsCommand(readConfig(), json === true)
    })
  program
    .command('reembed')
    .description(
      'move the store to the model that the settings name; it can be stopped and resumed',
    )
    .option('--model <folder>', 'the folder of a local model, instead of the settings')
    .option('--restart', 'give up an unfinished move, and make vectors that exist again')
    .addOption(new Option('--dry-run', 'say what would be done').conflicts('status'))
    .option('--status', 'say which model the store uses, and how far a move is')
    .action(async (flags: ReembedFlags) => {
      const { reembedCommand } = await import('./reembed.ts')
      await reembedCommand(readConfig(), flags)
    })
  program
    .command('calibrate')
    .description('fit the score to a model, from pairs of texts that people judged')
    .requiredOption('--pairs <file>', 'CSV of two texts and a rating from 0 to 5, or JSON lines')
    .option('--model <folder>', 'the folder of a local model, instead of the settings')
    .option('--out <file>', 'where to write it for a service')
    .option('--dry-run', 'print it only')
    .action(async (flags: CalibrateFlags) => {
      const { calibrateCommand } = await import('./calibrate.ts')
      await calibrateCommand(readConfig(), flags)
    })
  program
    .command('export')
    .description('write the whole store to an archive, also while a server uses it')
    .argument('<file>', 'where to; - for stdout')
    .action(async (file: string) => {
      const { exportCommand } = await import('./export.ts')
      await exportCommand(readConfig(), file)
    })
  addImportCommand(program)
  return program
}

/** Sets the process's exit status. Never rejects. */
export async function run(argv: string[]): Promise<void> {
  hearBrokenOutput()
  let help = ''
  const program = createProgram((text) => {
    help += text
  })
  try {
    await program.parseAsync(argv).finally(() => (help === '' ? undefined : print(help)))
  } catch (error) {
    process.exitCode = report(error)
  }
}

function report(error: unknown): number {
  if (error instanceof OutputClosed) return 0
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  if (error instanceof ConfigError || error instanceof UsageFailure) {
    return say(error.message, EXIT_USAGE)
  }
  if (error instanceof StoreRefusal || error instanceof EmbedderRefusal) {
    return say(error.message, EXIT_FAILURE)
  }
  if (error instanceof CommandFailure) return say(error.message, EXIT_FAILURE)
  return say(error instanceof Error ? (error.stack ?? error.message) : String(error), EXIT_FAILURE)
}

function say(message: string, status: number): number {
  process.stderr.write(`mnemograph: ${message}\n`)
  return status
}

function keyName(text: string): string {
  const length = [...text].length
  if (text.trim() !== '' && length <= NAME_LENGTH_MAX && isStorable(text)) return text
  throw new InvalidArgumentError(`It must have 1 to ${NAME_LENGTH_MAX} characters.`)
}

function emailAddress(text: string): string {
  if (isEmailAddress(text)) return text
  throw new InvalidArgumentError('It must be an e-mail address.')
}

function rateLimit(text: string): number {
  if (text === 'none') return RATE_LIMIT_NONE
  const limit = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isNaN(limit)) return limit
  throw new InvalidArgumentError('It must be a whole number of requests a minute, or none.')
}
