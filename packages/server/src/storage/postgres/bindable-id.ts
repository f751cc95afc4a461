// An id from a caller as a parameter of a statement. PostgreSQL has no text with a NUL, and would refuse the
// whole statement; no record has an id with one, so it becomes an id that finds nothing.

export const bindableId = (id: string): string => (id.includes('\0') ? '' : id)
