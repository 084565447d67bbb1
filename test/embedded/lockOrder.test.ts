import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Database } from '../../prisma/client.ts';
import { updateObjects } from '../../prisma/store/object/importBatch.ts';
import type { ObjectType } from '../../prisma/store/objectType/readObjectType.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution, insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { makeQueue } from '../setup/database/queueRows.ts';
import { poll } from '../setup/jest/poll.ts';

// Statements lock several rows in the order of their ids, so that two of them with the same rows cannot deadlock.

let own: MigratedDatabase;
let database: Database;
beforeAll(async () => {
  own = await startMigratedDatabase(4);
  database = own.database;
}, 90_000);
afterAll(() => own?.dispose());

/** PGlite has one session, so nothing waits for a lock. */
const withSessions = process.env.DATABASE_URL ? test : test.skip;

/** Checks that `work` waits for the first of two rows without holding the second. */
async function expectInOrder(table: string, [first, second]: readonly string[], work: () => Promise<unknown>) {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [first]);
    const done = work();
    // The caller gets the error; this avoids an unhandled rejection until then.
    done.catch(() => undefined);
    await poll(() => lockWaits(database)).toBe(1);
    const { rows } = await client.query(`SELECT id FROM ${table} WHERE id = $1 FOR UPDATE SKIP LOCKED`, [second]);
    expect(rows).toEqual([{ id: second }]);
    await client.query('COMMIT');
    await done;
  } finally {
    client.release(true);
  }
}

withSessions.each(['COMPLETED', 'FAILED'])(
  'an execution that ends %s settles its items in the order of their ids',
  async (status) => {
    const { workspaceId, executionId } = await insertOwnExecution(database);
    const { id: projectId } = await database.project.create({ data: { id: v7(), workspaceId, name: 'p' } });
    const queueId = await makeQueue(database, { workspaceId, projectId });
    await database.execution.update({ where: { id: executionId }, data: { queueId } });
    const ids = [v7(), v7()];
    // Inserts the later id first, so the batch's index has the reverse order.
    for (const id of ids.toReversed()) {
      const item = { id, workspaceId, queueId, data: {}, metadata: {}, status: 'PROCESSING', executionId };
      await database.queueItem.create({ data: item });
    }
    await expectInOrder('queue_items', ids, () =>
      database.execution.update({ where: { id: executionId }, data: { status, stoppedAt: new Date() } }),
    );
    const items = await database.queueItem.findMany({ where: { queueId } });
    const ended = status === 'COMPLETED' ? 'COMPLETED' : 'RETRYING';
    expect(items.map((item) => item.status)).toEqual([ended, ended]);
  },
);

withSessions('an import changes entities in the order of their ids', async () => {
  const workspaceId = await insertOwnWorkspace(database);
  const typeId = v7();
  await database.objectType.create({ data: { id: typeId, workspaceId, slug: 's', name: 'n' } });
  const ids = [v7(), v7()];
  for (const id of ids) {
    const object = { id, workspaceId, objectTypeId: typeId, name: 'n', attributes: {} };
    await database.object.create({ data: object });
  }
  const changes = ids.toReversed().map((id) => ({ id, name: 'm', attributes: {}, ownerId: null, revision: 1 }));
  await expectInOrder('objects', ids, () =>
    updateObjects(database, workspaceId, { id: typeId, version: 1 } as ObjectType, changes, {
      type: 'apiKey',
      id: v7(),
    }),
  );
});
