// People and programs can read the keys, and no name of one breaks a line or commands the terminal.
import { expect, test } from 'vitest'
import type { KeyRecord, SpaceId } from '../../storage/records.ts'
import { keyLines, keyTable } from './key-table.ts'

const key = (changes: Partial<KeyRecord>): KeyRecord => ({
  id: 'key_1',
  name: 'laptop',
  plan: 'free',
  limits: { read: undefined, write: undefined, search: undefined },
  status: 'active',
  createdAt: Date.UTC(2026, 10, 21, 9, 30, 1, 234),
  lastUsedAt: undefined,
  // Spaces are numbers that only the store hands out; nothing here looks at it.
  spaceId: 1 as SpaceId,
  accountId: undefined,
  ...changes,
})
const longer = key({
  id: 'key_22',
  plan: 'enterprise',
  status: 'revoked',
  lastUsedAt: Date.UTC(2026, 10, 22),
  name: 'a name with spaces',
})

test('the table has a header, and its columns stand under each other', () => {
  expect(keyTable([key({}), longer])).toBe(
    [
      'ID      STATUS   PLAN        CREATED (UTC)        LAST USED (UTC)      NAME',
      'key_1   active   free        2026-11-21 09:30:01  never                laptop',
      'key_22  revoked  enterprise  2026-11-21 09:30:01  2026-11-22 00:00:00  a name with spaces',
      '',
    ].join('\n'),
  )
})

test('for a pipe there is one line per key, with tabs between its columns', () => {
  expect(keyLines([key({}), longer])).toBe(
    'key_1\tactive\tfree\t2026-11-21T09:30:01.234Z\tnever used\tlaptop\n' +
      'key_22\trevoked\tenterprise\t2026-11-21T09:30:01.234Z\t2026-11-22T00:00:00.000Z\ta name with spaces\n',
  )
  expect(keyLines([])).toBe('')
})

test('a name can neither break the table nor command the terminal', () => {
  const hostile = key({ name: 'a\nb\tc\u001b[2Jd\u009b' })
  for (const text of [keyTable([hostile]), keyLines([hostile])]) {
    expect(text).toContain('a\ufffdb\ufffdc\ufffd[2Jd\ufffd')
    expect(text).not.toContain('\u001b')
  }
})
