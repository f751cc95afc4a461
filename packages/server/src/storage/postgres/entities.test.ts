// What an entity has by the hundred thousand is removed in time: a statement that takes too long is ended, and
// the deletion with it, each time that it is asked for. What somebody else deletes meanwhile is gone for all.
import { expect, inject, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { insertedKey, newKey } from '../conformance/subject.ts'
import { TIMEOUTS } from './connection/connection.ts'
import { beforeCommit } from './testing/before-commit.ts'
import { ownedDatabase } from './testing/owned-database.ts'
import { pagesRead, stopVacuum } from './testing/pages-read.ts'

const server = inject('postgresUrl')
const RELATIONS = 4_000
const STATEMENT_MS = 1_500
const OF_OTHERS = 20_000
/** A hundred relations take so long to remove, as on a busy server. */
const SLOWLY = `
  CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(.05); RETURN old; END $$;
  CREATE TRIGGER slowly BEFORE DELETE ON relations FOR EACH ROW
    WHEN (old.id LIKE '%00') EXECUTE FUNCTION slowly()`

test.skipIf(server === undefined)(
  'an entity goes with its relations although these take longer than a statement may',
  async () => {
    const timeouts = { ...TIMEOUTS, statementMs: STATEMENT_MS }
    const { store, ask, newSpace } = await ownedDatabase(server ?? '', timeouts)
    const { spaceId, entities, relations } = store.forSpace(await newSpace())
    const [hub, other] = [entityOf(), entityOf()]
    for (const each of [hub, other]) await entities.insert(each, NO_RECEIPT)
    // From it, to it and from it to itself; many of one moment.
    await ask(
      `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
         SELECT ${spaceId}, 'rel_' || no, (ARRAY['${hub.id}', '${other.id}', '${hub.id}'])[1 + no % 3],
           (ARRAY['${other.id}', '${hub.id}', '${hub.id}'])[1 + no % 3], 'KNOWS', no / 700
         FROM generate_series(1, ${RELATIONS}) AS no;
       ${SLOWLY}`,
    )
    const kept = relationOf({ sourceId: other.id, targetId: other.id })
    await relations.insert(kept, NO_RECEIPT)

    const begunAt = performance.now()
    expect(await entities.remove(hub.id, NO_RECEIPT)).toBe(true)
    expect(performance.now() - begunAt).toBeGreaterThan(STATEMENT_MS)
    const { items, total } = await relations.page({}, { page: 1, limit: 10 })
    expect([items.map(({ id }) => id), total]).toEqual([[kept.id], 1])
    expect(await entities.find(hub.id)).toBeUndefined()
  },
)

test.skipIf(server === undefined)(
  'of an entity whose deletion is under way, or was ended, all relations are there',
  async () => {
    const { store, ask, newSpace } = await ownedDatabase(server ?? '')
    const { spaceId, entities, relations } = store.forSpace(await newSpace())
    const hub = entityOf()
    await entities.insert(hub, NO_RECEIPT)
    await ask(
      `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
         SELECT ${spaceId}, 'rel_' || no, '${hub.id}', '${hub.id}', 'KNOWS', no
         FROM generate_series(1, ${RELATIONS}) AS no;
       ${SLOWLY}`,
    )
    const ended = entities.remove(hub.id, NO_RECEIPT).catch(() => 'ended')
    const DELETING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND state = 'active' AND query LIKE '%DELETE FROM relations%' AND pid <> pg_backend_pid()`
    const deleting = async (): Promise<unknown> => {
      await ask('SELECT pg_stat_clear_snapshot()')
      return (await ask(DELETING))[0]?.['pid']
    }
    await expect.poll(deleting).toBeDefined()
    expect((await relations.page({}, { page: 1, limit: 1 })).total).toBe(RELATIONS)
    await ask(`SELECT pg_terminate_backend(pid) FROM (${DELETING}) AS deleting`)
    expect(await ended).toBe('ended')
    expect((await relations.page({}, { page: 1, limit: 1 })).total).toBe(RELATIONS)
    await ask('DROP TRIGGER slowly ON relations')
    expect(await entities.remove(hub.id, NO_RECEIPT)).toBe(true)
    expect((await relations.page({}, { page: 1, limit: 1 })).total).toBe(0)
  },
)

test.skipIf(server === undefined)(
  'an entity goes without a look at relations of others where most spaces have few',
  async () => {
    const { store, ask, newSpace } = await ownedDatabase(server ?? '')
    await stopVacuum(ask, ['relations'])
    const { spaceId, entities } = store.forSpace(await newSpace())
    const [hub, other] = [entityOf(), entityOf()]
    for (const each of [hub, other]) await entities.insert(each, NO_RECEIPT)
    // Neighbours in an index lie on different pages, as those of a space that many write to.
    await ask(
      `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
         SELECT ${spaceId}, 'rel_' || no, CASE WHEN no <= 20 THEN '${hub.id}' ELSE '${other.id}' END,
           '${other.id}', 'KNOWS', no FROM generate_series(1, ${OF_OTHERS}) AS no ORDER BY md5(no::text);
       INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
         SELECT no, 'ent_1', 'Anna', 'anna', 'PERSON', 1 FROM generate_series(10, 10000) AS no;
       INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
         SELECT space, 'rel_' || no, 'ent_1', 'ent_1', 'KNOWS', no
         FROM generate_series(10, 10000) AS space CROSS JOIN generate_series(1, 3) AS no;
       ANALYZE entities, relations;
       SELECT pg_stat_force_next_flush()`,
    )
    const before = await pagesRead(ask, ['relations'])
    expect(await entities.remove(hub.id, NO_RECEIPT)).toBe(true)
    // What a connection has read is known when it ends.
    await store.close()
    await expect.poll(() => pagesRead(ask, ['relations'])).toBeGreaterThan(before)
    expect((await pagesRead(ask, ['relations'])) - before).toBeLessThan(OF_OTHERS / 4)
    const left = await ask('SELECT count(*)::int FROM relations WHERE space_no = $1', [spaceId])
    expect(left).toEqual([{ count: OF_OTHERS - 20 }])
  },
)

test.skipIf(server === undefined)(
  'beside whoever is about to have deleted a record, it is not deleted once more, and no relation joins it',
  async () => {
    const { store, options, generation } = await ownedDatabase(server ?? '')
    const { id: keyId, spaceId } = await insertedKey(store, newKey())
    const space = store.forSpace(spaceId)
    const memory = memoryOf()
    await space.memories.insert(memory, [pieceOf('tea')], NO_RECEIPT, generation)
    const [entity, source, target, kept] = [entityOf(), entityOf(), entityOf(), entityOf()]
    for (const each of [entity, source, target, kept]) await space.entities.insert(each, NO_RECEIPT)
    const relation = (ends: { sourceId?: string; targetId?: string }) =>
      relationOf({ sourceId: kept.id, targetId: kept.id, ...ends })
    const charge = { keyId, month: '2026-11' }
    const beside = <Result>({ id }: { id: string }, write: () => Promise<Result>) =>
      beforeCommit(
        options.url,
        `DELETE FROM memories WHERE id = '${id}'; DELETE FROM entities WHERE id = '${id}'`,
        write,
      )
    expect(await beside(memory, () => space.memories.remove(memory.id, { charge }))).toBe(false)
    expect(await beside(entity, () => space.entities.remove(entity.id, { charge }))).toBe(false)
    const [from, to] = [relation({ sourceId: source.id }), relation({ targetId: target.id })]
    expect(await beside(source, () => space.relations.insert(from, { charge }))).toBe(
      'source-missing',
    )
    expect(await beside(target, () => space.relations.insert(to, { charge }))).toBe(
      'target-missing',
    )
    expect(await store.usage.read(charge)).toBe(0)
  },
)
