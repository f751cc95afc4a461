// A server as one that has run for a while: V8 compiles the code of a server while it answers its first
// some thousand requests, which then take several times as long as later. A query that the server remembers,
// among few memories, costs little more than what is to be warm.
import { FILTERS } from '../data/memories.ts'
import { numbers } from '../data/numbers.ts'
import type { TimedConnection } from './timed-connection.ts'

export const SEARCH = '/v1/memories/search'
const REQUESTS = 2_000

export async function runForAWhile(connection: TimedConnection): Promise<void> {
  const remembered = { query: 'Who is warm?', ...FILTERS['user with 100'] }
  for (const _ of numbers(REQUESTS)) await connection.ask('POST', SEARCH, remembered)
}
