// Node, SQLite, PostgreSQL and Fastify tell their errors apart by a code, which no type of theirs says.

/** `ENOENT`, `SQLITE_FULL`, `57014`. Empty for what has none. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
