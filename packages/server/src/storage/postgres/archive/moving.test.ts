// Archives move between the drivers in every direction to and from the shared one; and what
// only a shared one can get wrong: others who use the database, places in the index, vectors of
// two models, numbers on their way.
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { newDatabase, newEmptyDatabase } from '../../../testing/postgres.ts'
import type { ArchiveRecord } from '../../archive.ts'
import { describeExporting } from '../../conformance/exporting.suite.ts'
import type { StorePlace } from '../../conformance/moved-archive.ts'
import { describeMoving } from '../../conformance/moving.suite.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { MODEL, newKey } from '../../conformance/subject.ts'
import { newSqlitePlace } from '../../sqlite/testing/moving-place.ts'
import { StoreRefusal } from '../../store.ts'
import { withOwner } from '../connection/owner.ts'
import { openPostgresAdministration } from '../open-keys.ts'
import { openPostgresReembedding } from '../reembedding/open-reembedding.ts'
import { EXACT_MAX } from '../search/search-size.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { openPostgresArchiveSource, openPostgresArchiveTarget } from './open-archive.ts'

const server = inject('postgresUrl')

if (server !== undefined) {
  const newOptions = async () => {
    const { url, drop } = await newDatabase(server)
    onTestFinished(drop)
    return { url, durability: 'required' } as const
  }
  const newPlace = async (): Promise<StorePlace> => {
    const options = await newOptions()
    return {
      open: () => openStoreAt(options.url, 5),
      openSource: () => openPostgresArchiveSource(options),
      openTarget: () => openPostgresArchiveTarget(options),
    }
  }

  describeMoving('from the embedded store to the shared one', newSqlitePlace, newPlace)
  describeMoving('from the shared store to the embedded one', newPlace, newSqlitePlace)
  describeMoving('from one shared store to another one', newPlace, newPlace)
  describeExporting('a shared store that is exported beside callers', newPlace)

  test('of a database without a store nothing is exported or re-embedded, and none is made in it', async () => {
    const { url, drop } = await newEmptyDatabase(server)
    onTestFinished(drop)
    const options = { url, durability: 'required' } as const
    await expect(openPostgresArchiveSource(options)).rejects.toThrow(StoreRefusal)
    await expect(openPostgresReembedding(options)).rejects.toThrow('There is no store in')
    await withOwner(url, async (owner) => {
      const { rows } = await owner.query("SELECT to_regnamespace('mnemograph') AS made")
      expect(rows).toEqual([{ made: null }])
    })
  })

  test('of two imports into one database the second is refused, and so is any other use', async () => {
    const options = await newOptions()
    const target = await openPostgresArchiveTarget(options)
    await expect(openPostgresArchiveTarget(options)).rejects.toThrow('Another process imports')
    await target.begin('archive', undefined)
    await expect(openPostgresAdministration(options)).rejects.toThrow(
      'An import into this database is',
    )
    await target.close()
    await (await openPostgresArchiveTarget(options)).close()
  })

  test('an import holds up nobody who stores a first key in the database', async () => {
    const options = await newOptions()
    const store = await openStoreAt(options.url, 2)
    const target = await openPostgresArchiveTarget(options)
    expect(await store.keys.insertFirst(newKey())).toBe(true)
    await target.close()
    await store.close()
  })

  test('a database that a server has begun to use takes no archive, also before it has a key', async () => {
    const { options, generation } = await ownedDatabase(server)
    expect(generation).toBeGreaterThan(0)
    const target = await openPostgresArchiveTarget(options)
    await expect(target.begin('archive', undefined)).rejects.toThrow('holds data already')
    await target.close()
  })

  test('an import that begins while a server adopts its model waits for that, and is refused', async () => {
    const options = await newOptions()
    const store = await openStoreAt(options.url, 2)
    const target = await openPostgresArchiveTarget(options)
    await withOwner(options.url, async (owner) => {
      const waiting = async () => {
        const sql = `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND database =
          (SELECT oid FROM pg_database WHERE datname = current_database())`
        return (await owner.query(sql)).rows[0].waiting
      }
      // The model can be looked for, and not yet be noted.
      await owner.query('BEGIN; LOCK TABLE generations IN SHARE MODE')
      const adopted = store.generations.adopt(MODEL)
      await expect.poll(waiting).toBe(1)
      const begun = expect(target.begin('archive', undefined)).rejects.toThrow('holds data already')
      await expect.poll(waiting).toBe(2)
      await owner.query('COMMIT')
      expect(await adopted).toMatchObject(MODEL)
      await begun
    })
    await Promise.all([target.close(), store.close()])
  })

  test('an import gives the rows of a large space their places in the index, and tells the planner how many there are', async () => {
    const memories = Array.from({ length: EXACT_MAX + 1 }, (_, n): ArchiveRecord => {
      const { id, content, userId, tags, createdAt } = memoryOf()
      const piece = { start: 0, end: 1, commonness: null, terms: `term${n}` }
      const pieces = [{ ...piece, vector: Float32Array.of(1, 0, 0, 0, 0) }]
      const absent = { agentId: null, metadata: null }
      return { kind: 'memory', space: 1, id, content, userId, tags, createdAt, pieces, ...absent }
    })
    const options = await newOptions()
    const target = await openPostgresArchiveTarget(options)
    await target.begin('archive', MODEL)
    await target.add(memories, { blocks: 1, checksum: '' })
    await target.finish()
    await target.close()
    const found = await withOwner(options.url, async (owner) => {
      await owner.query('SET ROLE mnemograph_maintenance')
      // PostgreSQL never counts a whole partitioned table by itself.
      const sql = `SELECT count(code)::int AS codes,
        (SELECT reltuples FROM pg_class WHERE oid = 'pieces'::regclass) AS known FROM pieces`
      return (await owner.query(sql)).rows
    })
    expect(found).toEqual([{ codes: memories.length, known: memories.length }])
  })

  test.each([1_000, 1_001])(
    'of %d rows of a kind each is in the archive once, in order',
    async (count) => {
      const { options, store, newSpace, ask } = await ownedDatabase(server)
      const spaceId = await newSpace()
      await ask(
        `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
       SELECT ${spaceId}, 'ent_' || no, 'Anna', 'anna', 'PERSON', 0
       FROM generate_series(10001, 10000 + ${count}) AS no`,
      )
      await store.close()
      const source = await openPostgresArchiveSource(options)
      const records = await Array.fromAsync(source.records())
      await source.close()
      const ids = records.flatMap((each) => (each.kind === 'entity' ? [each.id] : []))
      expect(ids).toEqual(Array.from({ length: count }, (_, place) => `ent_${10_001 + place}`))
    },
  )

  test('a memory that has a word in several pieces counts once for it', async () => {
    const options = await newOptions()
    const target = await openPostgresArchiveTarget(options)
    await target.begin('archive', MODEL)
    const vector = Float32Array.of(1, 0, 0, 0, 0)
    const piece = { start: 0, end: 3, commonness: null, terms: 'tea', vector }
    const memory: ArchiveRecord = {
      kind: 'memory',
      space: 1,
      id: 'mem_1',
      content: 'tea',
      userId: 'anna',
      agentId: null,
      tags: [],
      metadata: null,
      createdAt: 0,
      pieces: [piece, piece],
    }
    const progress = { blocks: 1, checksum: 'sum' }
    await target.add([{ kind: 'space', space: 1, createdAt: 0 }, memory], progress)
    await target.close()
    await withOwner(options.url, async (owner) => {
      await owner.query('SET ROLE mnemograph_maintenance')
      const { rows } = await owner.query('SELECT memories FROM term_counts')
      expect(rows).toEqual([{ memories: 1 }, { memories: 1 }])
    })
  })

  test('an archive that nobody takes for long is not ended by the database for that', async () => {
    const { options } = await ownedDatabase(server)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const source = await openPostgresArchiveSource(options)
    const reader: unknown = query.mock.contexts.at(-1)
    query.mockRestore()
    if (!(reader instanceof pg.Client)) throw new Error('The source has asked no database.')
    const { rows } = await reader.query('SHOW idle_in_transaction_session_timeout')
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '0' }])
    await source.close()
  })

  test('an archive that is made during a re-embedding has the vectors in use, and no others', async () => {
    const { options, store, generation, newSpace } = await ownedDatabase(server)
    const { memories } = store.forSpace(await newSpace())
    for (let n = 0; n < 3; n += 1) {
      const memory = memoryOf()
      await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    }
    const mover = await openPostgresReembedding(options)
    await mover.begin({ ...MODEL, id: 'other' })
    const missing = await mover.missing({ memoriesMax: 3, charactersMax: 1_000 })
    await mover.add(
      missing.map(({ ref, content }) => ({ ref, pieces: [pieceOf(content, [0, 1, 0, 0, 0])] })),
    )
    const source = await openPostgresArchiveSource(options)
    const records = await Array.fromAsync(source.records())
    await Promise.all([source.close(), mover.close()])
    const vectors = records.map((record) =>
      record.kind === 'memory' ? record.pieces.map(({ vector }) => [...vector]) : [],
    )
    expect(vectors.flat()).toEqual(Array.from({ length: 3 }, () => [1, 0, 0, 0, 0]))
  })

  test('memories of two spaces that have one number keep their own vectors, as a new primary may have given it again', async () => {
    const { ask, options, generation, newSpace } = await ownedDatabase(server)
    const directions = [
      [1, 0, 0, 0, 0],
      [0, 1, 0, 0, 0],
    ]
    for (const direction of directions) {
      await ask("SELECT setval('memory_numbers', 1)")
      const instance = await openStoreAt(options.url, 2)
      const { memories } = instance.forSpace(await newSpace())
      const memory = memoryOf()
      await memories.insert(memory, [pieceOf('', direction)], NO_RECEIPT, generation)
      await instance.close()
    }
    const source = await openPostgresArchiveSource(options)
    const records = await Array.fromAsync(source.records())
    await source.close()
    const vectors = records.flatMap((record) =>
      record.kind === 'memory' ? [record.pieces.map(({ vector }) => [...vector])] : [],
    )
    expect(vectors).toEqual(directions.map((direction) => [direction]))
  })

  test('every number that a vector can hold survives, whichever way it is sent', async () => {
    const numbers = [1e-45, 3.4028234663852886e38, -0.1, 1 / 3, 1.17549435e-38, 0]
    const memory: ArchiveRecord = {
      kind: 'memory',
      space: 1,
      id: 'mem_1',
      content: 'text',
      userId: 'u',
      agentId: null,
      tags: [],
      metadata: null,
      createdAt: 1,
      pieces: [
        { start: 0, end: 4, commonness: 0.1, terms: 'text', vector: Float32Array.from(numbers) },
      ],
    }
    const options = await newOptions()
    const target = await openPostgresArchiveTarget(options)
    const model = { id: 'm', dimension: numbers.length, piecesVersion: 1, source: undefined }
    await target.begin('archive', model)
    await target.add([memory], { blocks: 1, checksum: '' })
    await target.finish()
    await target.close()
    const source = await openPostgresArchiveSource(options)
    expect(await Array.fromAsync(source.records())).toEqual([memory])
    await source.close()
  })
} else {
  test.skip('without a PostgreSQL nothing can be said of it', () => undefined)
}
