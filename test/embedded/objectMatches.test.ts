// test: long
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { importObjects } from '../../engine/objects/importObjects.ts';
import { checksUpTo } from '../setup/database/objectChecks.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

/** Of one type, and none of them known to the planner: nothing analyzes the table meanwhile. */
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

/** How many entities, and pages of the index on attributes, were read so far. */
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
    // Four batches, each of which may read all once; a read for each row would be some 30 million.
    expect(after.entities - before.entities).toBeLessThan(500_000);
    // Some 17,000 for all searches; 86,000 where each reads all that is not yet in the index.
    expect(after.pages - before.pages).toBeLessThan(40_000);
  },
);
