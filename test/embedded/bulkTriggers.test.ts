import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase();
  const { workspace, project, objectType, object } = own.database;
  const [workspaceId, projectId, objectTypeId] = [randomUUID(), randomUUID(), randomUUID()];
  await workspace.create({ data: { id: workspaceId, name: 'w' } });
  await project.create({ data: { id: projectId, workspaceId, name: 'p' } });
  await addItems(own.database, workspaceId, await makeQueue(own.database, { workspaceId, projectId }), [{}]);
  const type = { id: objectTypeId, workspaceId, slug: 'order', name: 'Order' };
  await objectType.create({ data: { ...type, attributeSchema: {}, stateSchema: {} } });
  await object.create({ data: { id: randomUUID(), workspaceId, objectTypeId, name: 'o', attributes: {} } });
});
afterAll(() => own?.dispose());

async function joinsOf(name: string): Promise<string[]> {
  const { rows } = await own.database.pool.query('SELECT prosrc FROM pg_proc WHERE proname = $1', [name]);
  const statements: string[] = rows[0].prosrc.split(/\bBEGIN\b|;/);
  return statements
    .filter((text) => text.includes(' JOIN '))
    .map((text) => text.replace(/\bPERFORM\b/, 'SELECT').replace(/\bv_transaction\b/g, '0'));
}

// A session caches the plan of a trigger's first statement, which may have changed one row.
test.each([
  ['queue_items_updated', 'queue_items', ['new_items', 'old_items'], 2],
  ['note_object_changes', 'objects', ['after_it', 'before_it'], 1],
] as const)(
  '%s compares no row with each other one, by the plan for a single row too',
  async (name, table, both, joins) => {
    const statements = await joinsOf(name);
    expect(statements).toHaveLength(joins);
    const client = await own.database.pool.connect();
    try {
      await client.query('BEGIN');
      for (const rows of both) {
        await client.query(`CREATE TEMPORARY TABLE ${rows} ON COMMIT DROP AS SELECT * FROM ${table} LIMIT 1`);
        await client.query(`ANALYZE ${rows}`);
      }
      for (const statement of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/(Hash|Merge) Full Join/);
        expect(plan).not.toContain('Nested Loop');
      }
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  },
);
