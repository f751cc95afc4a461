// Warms a server up. V8 compiles its code during its first few thousand requests, which take several times as
// long as later ones. The query is one that the server remembers, among few memories, so that little but the
// code to be warmed is run.
import { FILTERS } from '../data/memories.ts'
import { numbers } from '../data/numbers.ts'
import type { TimedConnection } from './timed-connection.ts'

export const SEARCH = '/v1/memories/search'
const REQUESTS = 2_000

export async function runForAWhile(connection: TimedConnection): Promise<void> {
  const remembered = { query: 'Who is warm?', ...FILTERS['user with 100'] }
  for (const _ of numbers(REQUESTS)) await connection.ask('POST', SEARCH, remembered)
}
