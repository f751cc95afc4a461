// Keys: made, listed, rotated, revoked, purged, and what they were used for.
import {
  CreateKey,
  type FirstRequest,
  type Keys,
  PurgeKey,
  RotateKey,
} from '../../../console/contract/keys.ts'
import { UsageQuery } from '../../../console/contract/usage.ts'
import { toTimestamp } from '../../../core/timestamp.ts'
import { ownAddress } from '../../own-address.ts'
import { body, queryString } from '../../validation/read-input.ts'
import { forAccount, forKey } from '../route.ts'

const readCreateKey = body(CreateKey)
const readRotateKey = body(RotateKey)
const readPurgeKey = body(PurgeKey)
const readUsageQuery = queryString(UsageQuery)

export const keyRoutes = [
  forAccount({
    method: 'GET',
    path: '/keys',
    run: async ({ console, account }): Promise<Keys> => ({
      items: await console.keys.list(account),
    }),
  }),
  forAccount({
    method: 'POST',
    path: '/keys',
    status: 201,
    input: readCreateKey,
    run: ({ console, account }, input) => console.keys.create(account, input),
  }),
  forKey({ method: 'GET', path: '', run: ({ console, key }) => console.keys.details(key) }),
  forKey({
    method: 'POST',
    path: '/revoke',
    run: ({ console, account, key }) => console.keys.revoke(account, key.id),
  }),
  forKey({
    method: 'POST',
    path: '/rotate',
    status: 201,
    input: readRotateKey,
    run: ({ console, account, key }, { name }) => console.keys.rotate(account, key, name),
  }),
  forKey({
    method: 'POST',
    path: '/purge',
    input: readPurgeKey,
    run: ({ console, account, key }, { name }) => console.keys.purge(account, key, name),
  }),
  forKey({
    method: 'GET',
    path: '/usage',
    isActivity: false,
    input: readUsageQuery,
    run: ({ console, key }, { month }) => console.usage.ofMonth(key, month),
  }),
  forKey({
    method: 'GET',
    path: '/first-request',
    isActivity: false,
    run: async ({ key, publicUrl, request }): Promise<FirstRequest> => ({
      baseAddress: publicUrl ?? ownAddress(request) ?? '',
      prefix: key.prefix ?? null,
      lastUsedAt: key.lastUsedAt === undefined ? null : toTimestamp(key.lastUsedAt),
    }),
  }),
]
