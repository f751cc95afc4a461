// What a store does beside a transaction of somebody else that has written and is about to commit: the test says
// what was written, so that the moment is always the same one.
import pg from 'pg'

/** Acts when the statements were made but not committed, which they are once so many wait. */
export async function beforeCommit<Result>(
  url: string,
  statements: string,
  act: (waiting: () => Promise<number>) => Promise<Result>,
  waitingMin = 1,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`SET search_path = mnemograph; BEGIN; ${statements}`)
    let hasEnded = false
    const waiting = async (): Promise<number> => {
      const { rowCount } = await client.query(
        `SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE datname = current_database() AND NOT granted`,
      )
      return rowCount ?? 0
    }
    const result = act(waiting).finally(() => {
      hasEnded = true
    })
    while (!hasEnded && (await waiting()) < waitingMin) await new Promise(setImmediate)
    await client.query('COMMIT')
    return await result
  } finally {
    await client.end()
  }
}
