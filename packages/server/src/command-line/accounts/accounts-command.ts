// The words of `mnemograph accounts`.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { isEmailAddress } from '../../console/email-address.ts'
import { PLANS, type Plan } from '../../contract/plans.ts'
import type { Printed } from '../output.ts'

export function addAccountCommands(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('accounts of the console: first link, invitations, forgotten passwords')
  accounts
    .command('setup-link')
    .description('print a new link that makes the first account, the administrator')
    .option('--json', 'print one JSON object')
    .action(async (printed: Printed) => {
      const { setUpLinkCommand } = await import('./accounts.ts')
      await setUpLinkCommand(readConfig(), printed)
    })
  accounts
    .command('invite')
    .description('print a link with which somebody makes an account of their own')
    // Behind --plans, the address would be taken for a plan.
    .usage('<email> [options]')
    .argument('<email>', 'their address', emailAddress)
    .addOption(
      new Option('--plans <plans...>', 'plans that they may choose for a key')
        .choices(PLANS)
        .default(['free']),
    )
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: { plans: Plan[] } & Printed) => {
      const { inviteCommand } = await import('./accounts.ts')
      await inviteCommand(readConfig(), email, options)
    })
  accounts
    .command('reset')
    .description('print a link with which somebody chooses a new password')
    .argument('<email>', 'the address of the account', emailAddress)
    .option('--json', 'print one JSON object')
    .action(async (email: string, printed: Printed) => {
      const { resetCommand } = await import('./accounts.ts')
      await resetCommand(readConfig(), email, printed)
    })
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .action(async (printed: Printed) => {
      const { listAccountsCommand } = await import('./accounts.ts')
      await listAccountsCommand(readConfig(), printed)
    })
}

function emailAddress(text: string): string {
  if (isEmailAddress(text)) return text
  throw new InvalidArgumentError('It must be an e-mail address.')
}
