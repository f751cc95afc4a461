// The two tables of pieces, of which each holds one generation of vectors. A piece is a row with
// terms; the rows without terms after it are its sentences. A row is known by one number, which begins
// with that of its memory. decisions/2026-11-21-piece-numbers.md
import type { Passage } from '../../retrieval/evidence.ts'
import type { TextSpan } from '../../retrieval/explanation.ts'
import type { PieceWithTerms } from '../pieces-with-terms.ts'
import type { IndexedPiece } from './index/tables/indexed.ts'
import type { Connection } from './opening/open-database.ts'
import type { PieceTable } from './reembedding/generations.ts'

/** Far more than the longest text has. The numbers of a memory's rows begin at so many times its own. */
export const PARTS_MAX = 65_536

type Statements = ReturnType<typeof prepare>
type Row = { commonness: number | null; terms: string | null; vector: Buffer }

export function pieceStatements(db: Connection) {
  const tables: Record<PieceTable, Statements> = {
    pieces: prepare(db, 'pieces'),
    pieces_beside: prepare(db, 'pieces_beside'),
  }
  return {
    insert(table: PieceTable, memoryNo: number, pieces: PieceWithTerms[]): void {
      const { insert } = tables[table]
      let part = 0
      const add = ({ start, end, vector, commonness }: Passage, terms: string | null): void => {
        insert.run(numberOf(memoryNo, part), start, end, commonness ?? null, terms, toBytes(vector))
        part += 1
      }
      for (const piece of pieces) {
        add(piece, piece.terms.join(' '))
        for (const sentence of piece.sentences) add(sentence, null)
      }
    },
    /** As the search index takes them, in the order of the text. */
    read(table: PieceTable, memoryNo: number): IndexedPiece[] {
      return toPieces(tables[table].read.all(...numbersOf(memoryNo)))
    },
    /** The same of a memory that has one row: most have, and looking for more takes two fifths of the time. */
    readOne(table: PieceTable, memoryNo: number): IndexedPiece[] {
      const row = tables[table].readOne.get(numberOf(memoryNo, 0))
      return row === undefined ? [] : toPieces([row])
    },
    /** Of each piece. */
    termsOfPieces: (table: PieceTable, memoryNo: number): string[][] =>
      tables[table].terms.all(...numbersOf(memoryNo)).map(termsIn),
    /** Of all pieces, each once. */
    terms: (table: PieceTable, memoryNo: number): string[] => [
      ...new Set(tables[table].terms.all(...numbersOf(memoryNo)).flatMap(termsIn)),
    ],
    span: (table: PieceTable, memoryNo: number, part: number): TextSpan | undefined =>
      tables[table].span.get(numberOf(memoryNo, part)),
    has: (table: PieceTable, memoryNo: number): boolean =>
      tables[table].has.get(...numbersOf(memoryNo)) !== undefined,
    /** The greatest number of a memory that has pieces, 0 when there are none. */
    lastMemory: (table: PieceTable): number => tables[table].last.get() ?? 0,
    /** Removes all pieces of some memories. False when there was none left. */
    removeSome(table: PieceTable, pieces: number): boolean {
      const { nth, last, remove } = tables[table]
      const [, end] = numbersOf(nth.get(pieces - 1) ?? last.get() ?? 0)
      return remove.run(end).changes > 0
    },
  }
}

function toPieces(rows: readonly Row[]): IndexedPiece[] {
  const pieces: IndexedPiece[] = []
  for (const { commonness, terms, vector } of rows) {
    const embedding = { vector: toVector(vector), commonness: commonness ?? undefined }
    if (terms === null) pieces.at(-1)?.embeddings.push(embedding)
    else pieces.push({ terms: termsIn(terms), embeddings: [embedding] })
  }
  return pieces
}

/** As they will be read again. */
export const toIndexed = (pieces: readonly PieceWithTerms[]): IndexedPiece[] =>
  pieces.map((piece) => ({
    terms: piece.terms,
    embeddings: [piece, ...piece.sentences].map(toEmbedding),
  }))

const toEmbedding = ({ vector, commonness }: Omit<Passage, 'start' | 'end'>) => ({
  vector,
  commonness,
})

const prepare = (db: Connection, table: PieceTable) => ({
  insert: db.prepare<[number, number, number, number | null, string | null, Buffer]>(
    `INSERT INTO ${table} (no, start_offset, end_offset, commonness, terms, vector)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ),
  read: db.prepare<[number, number], Row>(
    `SELECT commonness, terms, vector FROM ${table} WHERE no BETWEEN ? AND ? ORDER BY no`,
  ),
  readOne: db.prepare<[number], Row>(`SELECT commonness, terms, vector FROM ${table} WHERE no = ?`),
  terms: db
    .prepare<[number, number], string>(
      `SELECT terms FROM ${table} WHERE no BETWEEN ? AND ? AND terms IS NOT NULL`,
    )
    .pluck(),
  span: db.prepare<[number], TextSpan>(
    `SELECT start_offset AS start, end_offset AS "end" FROM ${table} WHERE no = ?`,
  ),
  has: db
    .prepare<[number, number], 1>(`SELECT 1 FROM ${table} WHERE no BETWEEN ? AND ? LIMIT 1`)
    .pluck(),
  last: db.prepare<[], number>(`SELECT memory_no FROM ${table} ORDER BY no DESC LIMIT 1`).pluck(),
  nth: db
    .prepare<[number], number>(`SELECT memory_no FROM ${table} ORDER BY no LIMIT 1 OFFSET ?`)
    .pluck(),
  remove: db.prepare<[number]>(`DELETE FROM ${table} WHERE no <= ?`),
})

export function numberOf(memoryNo: number, part: number): number {
  if (part >= PARTS_MAX) throw new Error('A text has too many pieces.')
  return memoryNo * PARTS_MAX + part
}

/** The first and the last that the rows of a memory can have. */
export const numbersOf = (memoryNo: number): [first: number, last: number] => [
  memoryNo * PARTS_MAX,
  memoryNo * PARTS_MAX + PARTS_MAX - 1,
]

const termsIn = (joined: string): string[] => (joined === '' ? [] : joined.split(' '))

/** float32, little-endian. */
export const toBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** A copy only where the blob does not lie where a Float32Array may begin. */
export function toVector(blob: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = blob
  if (byteOffset % Float32Array.BYTES_PER_ELEMENT === 0) {
    return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT)
  }
  return new Float32Array(new Uint8Array(blob).buffer)
}
