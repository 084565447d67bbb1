import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { addItems, makeQueue } from '../setup/queueRows.ts';

/** In one statement, and in twenty. */
const AT_ONCE = 2_000;
const IN_PARTS = 1_000;
const PARTS = 20;
const ROWS = AT_ONCE + IN_PARTS;
let own: MigratedDatabase;
const place = { workspaceId: randomUUID(), projectId: randomUUID() };

// One session: it keeps the plans of its triggers.
beforeAll(async () => {
  own = await startMigratedDatabase(1);
  await own.database.workspace.create({ data: { id: place.workspaceId, name: 'w' } });
  await own.database.project.create({ data: { id: place.projectId, workspaceId: place.workspaceId, name: 'p' } });
});
afterAll(() => own?.dispose());

async function items(): Promise<string[]> {
  const queueId = await makeQueue(own.database, place);
  return addItems(own.database, place.workspaceId, queueId, Array(ROWS).fill({}));
}

async function entities(): Promise<string[]> {
  const { workspaceId } = place;
  const { id: objectTypeId } = await own.database.objectType.create({
    data: { id: randomUUID(), workspaceId, slug: 'order', name: 'Order', attributeSchema: {}, stateSchema: {} },
  });
  const ids = Array.from({ length: ROWS }, () => randomUUID());
  const data = ids.map((id) => ({ id, workspaceId, objectTypeId, name: 'o', attributes: {} }));
  await own.database.object.createMany({ data });
  return ids;
}

test.each([
  ['moves of queue items', items, "UPDATE queue_items SET status = 'PROCESSING' WHERE id = ANY ($1::uuid[])"],
  ['texts of queue items', items, `UPDATE queue_items SET data = '{"a": 1}' WHERE id = ANY ($1::uuid[])`],
  ['changes of entities', entities, 'UPDATE objects SET revision = revision + 1 WHERE id = ANY ($1::uuid[])'],
] as const)(
  '%s: many in one statement cost no more than in several, also where the first statement of the session wrote one',
  async (_, made, statement) => {
    const ids = await made();
    const timeOf = async (some: readonly string[]) => {
      const since = performance.now();
      await own.database.pool.query(statement, [some]);
      return performance.now() - since;
    };
    await timeOf(ids.slice(0, 1));
    let inParts = 0;
    const size = IN_PARTS / PARTS;
    for (let from = 0; from < IN_PARTS; from += size) inParts += await timeOf(ids.slice(from, from + size));
    // Of twice as many. A comparison of each row with each takes far longer.
    expect(await timeOf(ids.slice(IN_PARTS))).toBeLessThan(5 * inParts);
  },
);
