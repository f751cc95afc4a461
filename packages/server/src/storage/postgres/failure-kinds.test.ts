import { expect, test } from 'vitest'
import type { StoreError } from '../store.ts'
import { toStoreError } from './failure.ts'

const withCode = (code: string): Error => Object.assign(new Error('text'), { code })

test.each<[code: string, kind: StoreError['kind']]>([
  ['ECONNREFUSED', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'unavailable'],
  ['57014', 'unavailable'],
  ['25P03', 'unavailable'],
  ['58030', 'unavailable'],
  ['53100', 'full'],
  ['MG004', 'purged'],
  ['ERR_INVALID_ARG_TYPE', 'fault'],
  ['42703', 'fault'],
])('a failure with the code %s is %s', (code, kind) => {
  expect(toStoreError(withCode(code)).kind).toBe(kind)
})
