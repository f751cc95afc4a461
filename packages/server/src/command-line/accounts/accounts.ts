// The `accounts` commands: one-time links for people, while a server runs or not. A link goes to
// stdout, what it is for to stderr, so that it can be piped to whoever sends it.
import { addressOf, type Config } from '../../config.ts'
import { type Issued, LinkIssue, linkAddress } from '../../console/links.ts'
import type { Plan } from '../../contract/plans.ts'
import { systemClock } from '../../core/clock.ts'
import { createIdentify } from '../../core/ids.ts'
import { toTimestamp } from '../../core/timestamp.ts'
import type { Administration } from '../../storage/store.ts'
import { hasStore, openAdministration, placeOf } from '../../store-of-config.ts'
import { CommandFailure } from '../failure.ts'
import { type Printed, print, printSecret } from '../output.ts'
import { printable, printableJson } from '../printable.ts'
import { reachable } from '../reachable.ts'

const WHEN_LOST = 'Nobody has seen the link: run the same command again for another one.'

async function withAccounts<Result>(
  config: Config,
  work: (accounts: Administration['accounts'], links: LinkIssue) => Promise<Result>,
): Promise<Result> {
  const { accounts, links, close } = await openAdministration(config)
  try {
    return await work(accounts, new LinkIssue(links, createIdentify(systemClock)))
  } finally {
    await close()
  }
}

export async function setUpLinkCommand(config: Config, printed: Printed): Promise<void> {
  const link = await withAccounts(config, (_accounts, links) => links.setUp())
  if (link === undefined) {
    throw new CommandFailure(
      'There is an account already. Invite others with "accounts invite", or give out a new ' +
        'password with "accounts reset".',
    )
  }
  await printLink(config, link, 'makes the first account, the administrator', printed)
}

export async function inviteCommand(
  config: Config,
  email: string,
  options: { plans: Plan[] } & Printed,
): Promise<void> {
  if (!(await hasStore(config))) throw new CommandFailure(noAccount(config))
  const link = await withAccounts(config, async (accounts, links) => {
    const issued = await links.invite(email, options.plans)
    if (issued !== undefined) return issued
    const isTaken = (await accounts.findByEmail(email)) !== undefined
    throw new CommandFailure(
      isTaken ? `There is an account for ${email} already.` : noAccount(config),
    )
  })
  await printLink(config, link, `makes an account for ${email}`, options)
}

export async function resetCommand(config: Config, email: string, printed: Printed): Promise<void> {
  if (!(await hasStore(config))) throw new CommandFailure(noAccount(config))
  const link = await withAccounts(config, async (accounts, links) => {
    const account = await accounts.findByEmail(email)
    if (account === undefined) throw new CommandFailure(`There is no account for ${email}.`)
    return links.reset(account)
  })
  await printLink(config, link, `sets a new password for ${email}`, printed)
}

export async function listAccountsCommand(config: Config, { json }: Printed): Promise<void> {
  const accounts = (await hasStore(config))
    ? await withAccounts(config, (store) => store.list())
    : []
  const rows = accounts.map(({ id, email, role, createdAt }) => ({
    id,
    email,
    role,
    createdAt: toTimestamp(createdAt),
  }))
  if (json) return print(`${printableJson(rows)}\n`)
  if (rows.length === 0) {
    process.stderr.write(`${noAccount(config)}\n`)
  }
  await print(
    rows
      .map((row) => `${[row.id, row.role, row.createdAt, printable(row.email)].join('\t')}\n`)
      .join(''),
  )
}

const noAccount = (config: Config): string =>
  `There is no account yet in ${placeOf(config)}: "accounts setup-link" prints a link for the first one.`

async function printLink(
  config: Config,
  issued: Issued,
  effect: string,
  { json }: Printed,
): Promise<void> {
  const url = linkAddress(addressForPeople(config), issued.token)
  const expiresAt = toTimestamp(issued.expiresAt)
  if (json) {
    const made = { url, email: issued.email ?? null, expiresAt }
    await printSecret(`${printableJson(made)}\n`, WHEN_LOST)
    return
  }
  await printSecret(`${url}\n`, WHEN_LOST)
  process.stderr.write(`This link ${effect}. It works once, until ${expiresAt}.\n`)
  if (config.publicUrl === undefined) {
    process.stderr.write(
      'It leads to the address that HOST and PORT name here. If the server has others, set them as it has, or ' +
        'MNEMOGRAPH_PUBLIC_URL.\n',
    )
  }
}

/** Only the server knows the port that it took when it was told to take any. */
const addressForPeople = (config: Config): string =>
  config.publicUrl ?? reachable(addressOf(config))
