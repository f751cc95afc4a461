// What an administrator does for others: invitations and links for forgotten passwords.
import {
  type Account,
  type Accounts,
  type Invitation,
  type Invitations,
  Invite,
  type IssuedLink,
} from '../../../console/contract/accounts.ts'
import { ConsoleError } from '../../../console/errors.ts'
import { type Issued, linkAddress } from '../../../console/links.ts'
import { toTimestamp } from '../../../core/timestamp.ts'
import type { AccountRecord, LinkRecord } from '../../../storage/console-store.ts'
import { ownAddress } from '../../own-address.ts'
import { body, pathId } from '../../validation/read-input.ts'
import { type Call, forAdministrator } from '../route.ts'

const readInvite = body(Invite)

export const accountRoutes = [
  forAdministrator({
    method: 'GET',
    path: '/accounts',
    run: async ({ service }): Promise<Accounts> => ({
      items: (await service.store.console.accounts.list()).map(toAccount),
    }),
  }),
  forAdministrator({
    method: 'POST',
    path: '/accounts/:id/reset-link',
    status: 201,
    async run(call) {
      const account = await call.console.accounts.find(pathId(call.request))
      return toLink(call, await call.console.links.reset(account))
    },
  }),
  forAdministrator({
    method: 'GET',
    path: '/invitations',
    async run({ service }): Promise<Invitations> {
      const { store, clock } = service
      const links = await store.console.links.invitations(clock.now())
      return { items: links.map(toInvitation) }
    },
  }),
  forAdministrator({
    method: 'POST',
    path: '/invitations',
    status: 201,
    input: readInvite,
    async run(call, { email, plans }) {
      const issued = await call.console.links.invite(email, plans)
      if (issued === undefined) throw new ConsoleError('EMAIL_TAKEN')
      return toLink(call, issued)
    },
  }),
  forAdministrator({
    method: 'POST',
    path: '/invitations/:id/withdraw',
    async run({ service, request }) {
      const isOpen = await service.store.console.links.withdraw(pathId(request))
      if (!isOpen) throw new ConsoleError('INVITATION_NOT_FOUND')
      return {}
    },
  }),
]

/** Without the password's hash. */
export const toAccount = ({ id, email, role, plans, createdAt }: AccountRecord): Account => ({
  id,
  email,
  role,
  plans,
  createdAt: toTimestamp(createdAt),
})

const toInvitation = ({ id, email, plans, createdAt, expiresAt }: LinkRecord): Invitation => ({
  id,
  email: email ?? '',
  plans,
  createdAt: toTimestamp(createdAt),
  expiresAt: toTimestamp(expiresAt),
})

function toLink({ publicUrl, request }: Call, issued: Issued): IssuedLink {
  const { id, email = '', expiresAt, token } = issued
  const url = linkAddress(publicUrl ?? ownAddress(request) ?? '', token)
  return { id, url, email, expiresAt: toTimestamp(expiresAt) }
}
