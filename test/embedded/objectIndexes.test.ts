// test: long, pglite
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import { importObjects } from '../../engine/objects/importObjects.ts';
import type { Database } from '../../prisma/client.ts';
import { countedPage } from '../../prisma/store/countedPage.ts';
import { findMatches } from '../../prisma/store/object/importBatch.ts';
import { type ObjectFilters, objectConditions, objectOrder } from '../../prisma/store/object/objectFilters.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import { checksUpTo } from '../setup/database/objectChecks.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

describe('indexes', () => {
  const ROWS = 5_000;
  let own: MigratedDatabase;
  const workspaceId = randomUUID();
  const typeId = randomUUID();
  const viewer: Viewer = { kind: 'apiKey', apiKeyId: randomUUID(), workspaceId, permissions: new Set() };

  beforeAll(async () => {
    own = await startMigratedDatabase();
    const run = (text: string, values: unknown[]) => own.database.pool.query(text, values);
    // Our rows are a fifth of all: otherwise Postgres would prefer to scan the table.
    for (const [workspace, type] of [
      [workspaceId, typeId],
      ...Array.from({ length: 4 }, () => [randomUUID(), randomUUID()]),
    ]) {
      await run("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspace]);
      await run("INSERT INTO object_types (id, workspace_id, slug, name) VALUES ($1, $2, 'a', 'A')", [type, workspace]);
      await run(
        `INSERT INTO objects (id, workspace_id, object_type_id, name, state, attributes, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'name ' || n, CASE WHEN n % 100 = 0 THEN 'rare' ELSE 'often' END,
         jsonb_build_object('sku', 's' || n, 'total', n), now() - n * interval '1 second'
       FROM generate_series(1, ${ROWS}) n`,
        [workspace, type],
      );
    }
    await own.database.pool.query('VACUUM ANALYZE objects');
  }, 60_000);
  afterAll(() => own?.dispose());

  async function planOf(work: (database: Database) => Promise<unknown>): Promise<string> {
    const seen: [string, unknown[]][] = [];
    const query = (text: string, values: unknown[]) => {
      seen.push([text, values]);
      return own.database.pool.query(text, values);
    };
    await work({ pool: { query } } as unknown as Database);
    const [statement] = seen;
    if (!statement) throw new Error('nothing was asked');
    const { rows } = await own.database.pool.query(`EXPLAIN ${statement[0]}`, statement[1]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  function page(filters: ObjectFilters, order?: Parameters<typeof objectOrder>) {
    const conditions = objectConditions(workspaceId, { objectTypeId: typeId, ...filters });
    const options = { conditions, ...(order ? { order: objectOrder(...order) } : {}) };
    return planOf((database) => countedPage(database, viewer, OBJECT, {}, { limit: 25, offset: 0 }, options));
  }

  test.each<[string, ObjectFilters, Parameters<typeof objectOrder> | undefined, string]>([
    ['the last updated of a type', {}, undefined, 'objects_recent'],
    ['those by name', {}, ['name', 'asc'], 'objects_by_name_idx'],
    ['the first made', {}, ['createdAt', 'asc'], 'objects_by_creation_idx'],
    ['the last made', {}, ['createdAt', 'desc'], 'objects_by_creation_idx'],
    ['those in a state', { states: ['rare'] }, undefined, 'objects_in_state_idx'],
    ['an attribute', { attributes: { sku: 's77' } }, undefined, 'objects_attributes_idx'],
    ['a number', { attributes: { total: '77' } }, undefined, 'objects_attributes_idx'],
  ])('a page of %s reads its index, and no table as a whole', async (_, filters, order, index) => {
    const plan = await page(filters, order);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on objects');
  });

  test.each<Parameters<typeof objectOrder>>([
    ['name', 'asc'],
    ['name', 'desc'],
    ['createdAt', 'asc'],
    ['createdAt', 'desc'],
    ['updatedAt', 'asc'],
    ['updatedAt', 'desc'],
    ['state', 'asc'],
  ])('a page by %s, %s, comes from its index in order: nothing is sorted', async (by, direction) => {
    expect(await page({}, [by, direction])).not.toMatch(/\bSort\b/);
  });

  test('a search reads its index where the server has pg_trgm', async () => {
    const { rows } = await own.database.pool.query(
      "SELECT count(*)::int AS available FROM pg_available_extensions WHERE name = 'pg_trgm'",
    );
    // The embedded database always has it.
    if (!process.env.DATABASE_URL) expect(rows[0].available).toBe(1);
    const plan = await page({ search: 'AME 4321' });
    if (rows[0].available === 1) expect(plan).toContain('objects_search_idx');
    expect(plan).not.toContain('Seq Scan on objects');
  });

  test('the total of a type is counted by an index alone', async () => {
    expect(await page({})).toContain('Index Only Scan');
  });

  test('a batch of an import finds its matches by an index, for every field', async () => {
    const skus = Array.from({ length: 1_000 }, (_, at) => `s${at * 10}`);
    const byAttribute = await planOf((database) =>
      findMatches(database, workspaceId, typeId, { attribute: 'sku' }, skus),
    );
    expect(byAttribute).toContain('objects_attributes_idx');
    const names = skus.map((sku) => sku.replace('s', 'name '));
    const byName = await planOf((database) => findMatches(database, workspaceId, typeId, 'name', names));
    expect(byName).toContain('objects_by_name_idx');
    const found = await findMatches(own.database, workspaceId, typeId, { attribute: 'sku' }, skus);
    expect(found).toHaveLength(ROWS / 10);
  });
});

describe('matches', () => {
  /** All of one type, and unknown to the planner, because nothing analyzes the table meanwhile. */
  const ROWS = 10_000;
  let own: MigratedDatabase;
  const workspaceId = randomUUID();

  const rowsOf = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => ({ name: `${name} ${at}`, email: `${name}-${at}@example.com` }));

  function load(rows: { name: string; email: string }[], matchField?: string) {
    const context = {
      database: own.database,
      workspaceId,
      importId: v7(),
      by: { type: 'apiKey', id: randomUUID() } as const,
      checks: checksUpTo(262_144),
    };
    return importObjects(context, { type: { slug: 'a' }, rows, columnMappings: undefined, matchField, dryRun: false });
  }

  beforeAll(async () => {
    own = await startMigratedDatabase();
    await own.database.pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspaceId]);
    await own.database.pool.query(
      "INSERT INTO object_types (id, workspace_id, slug, name, allow_unknown_attributes) VALUES ($1, $2, 'a', 'A', true)",
      [randomUUID(), workspaceId],
    );
    await load(rowsOf(ROWS, 'first'));
  }, 60_000);
  afterAll(() => own?.dispose());

  async function reads(): Promise<{ entities: number; pages: number }> {
    const { pool } = own.database;
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query(`
    SELECT (SELECT seq_tup_read::int FROM pg_stat_user_tables WHERE relname = 'objects')
        + (SELECT sum(idx_tup_read)::int FROM pg_stat_user_indexes WHERE relname = 'objects') AS entities,
      (SELECT (idx_blks_hit + idx_blks_read)::int FROM pg_statio_user_indexes WHERE indexrelname = 'objects_attributes_idx')
        AS pages`);
    return rows[0];
  }

  test.each(['name', 'email'])(
    'an import that matches by %s does not read the type for each row, while nothing is known of the table',
    async (matchField) => {
      const before = await reads();
      const fresh = rowsOf(1_000, `by ${matchField}`);
      expect(await load(fresh, matchField)).toMatchObject({ created: 1_000, updated: 0 });
      expect(await load(fresh, matchField)).toMatchObject({ created: 0, updated: 1_000 });
      const after = await reads();
      // Four batches, each of which may read all once; one read per row would be about 30 million.
      expect(after.entities - before.entities).toBeLessThan(500_000);
      // About 17,000 for all searches; 86,000 if each reads everything that is not yet in the index.
      expect(after.pages - before.pages).toBeLessThan(40_000);
    },
  );
});
