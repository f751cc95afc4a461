// Fills many spaces without a create for each memory: copies the rows of one space, those that count its
// terms included, inside the database and as its administrator.
import pg from 'pg'

const AT_ONCE = 500

/** Copies what the space `from` holds into each of the others, which are empty. */
export async function copySpace(url: string, from: number, to: readonly number[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (let at = 0; at < to.length; at += AT_ONCE) {
      await copySome(client, from, to.slice(at, at + AT_ONCE))
    }
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

async function copySome(client: pg.Client, from: number, spaces: readonly number[]): Promise<void> {
  const each = `FROM unnest($2::bigint[]) AS space CROSS JOIN`
  // Numbers of memories can be copied: they are unique only within a space.
  const copies: [table: string, columns: string][] = [
    ['memories', 'no, id, content, user_id, agent_id, tags, metadata, created_at'],
    ['memory_tags', 'tag, memory_no'],
    [
      'pieces',
      'generation, memory_no, part, start_offset, end_offset, commonness, terms, vector, code',
    ],
    ['piece_terms', 'generation, term, memory_no, part'],
    ['term_counts', 'generation, term, memories'],
    ['uncounted', 'generation, memory_no, terms'],
  ]
  for (const [table, columns] of copies) {
    await client.query(
      `INSERT INTO mnemograph.${table} (space_no, ${columns})
       SELECT space, ${columns} ${each} mnemograph.${table} WHERE space_no = $1`,
      [from, spaces],
    )
  }
}
