// Comma-separated values as RFC 4180 has them: a field in quotes may hold commas, line breaks and
// doubled quotes.

// A run at once: by characters, eight million behind a mark that is not closed are more than the engine takes.
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/gy

/** Rows of fields, blank lines left out; undefined for a quote that is not closed or misplaced. */
export function parseCsv(text: string): string[][] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  let read = 0
  for (const [field, quoted, plain, end] of text.matchAll(FIELD)) {
    read += field.length
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return read === text.length ? rows : undefined
}
