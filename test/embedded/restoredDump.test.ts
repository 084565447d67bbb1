// test: pglite
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createObject } from '../../engine/objects/createObject.ts';
import { upsertObjectType } from '../../engine/objects/upsertObjectType.ts';
import type { Database } from '../../prisma/client.ts';
import { type ChangePosition, readObjectChanges } from '../../prisma/store/object/changes.ts';
import { checksUpTo, problemsOf } from '../setup/database/objectChecks.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { poll } from '../setup/jest/poll.ts';

let own: MigratedDatabase;
let database: Database;
let workspaceId: string;
const CHECKS = checksUpTo(10_000);
const ALL = { slug: undefined, kinds: [] };
const START = { transaction: '0', id: '0' };

beforeAll(async () => {
  own = await startMigratedDatabase(10);
  database = own.database;
  workspaceId = await insertOwnWorkspace(database);
  const context = { database, workspaceId, newId: v7(), createdByUserId: null, problemsOf };
  await upsertObjectType({ ...context, check: CHECKS.check, dryRun: false }, { slug: 'order', managedByCode: false });
});
afterAll(() => own?.dispose());

const add = (name: string) => {
  const entity = {
    id: v7(),
    type: { slug: 'order' },
    name,
    attributes: {},
    by: { type: 'apiKey', id: v7() } as const,
  };
  return createObject(database, workspaceId, entity, CHECKS);
};

/** Reads new changes. They appear once no older transaction is open in any database of the server. */
async function namesAfter(position: ChangePosition) {
  const { items, position: next } = await readObjectChanges(database, workspaceId, position, ALL, 1_000);
  return { names: items.map(({ object }) => object.name), next };
}

const systems = () => database.databaseSystem.findMany({ orderBy: { ordinal: 'asc' } });

/** Simulates a dump restored from another system whose transaction counter had reached this value. */
async function cameFromElsewhere(transactions: bigint): Promise<void> {
  await database.$executeRaw`UPDATE database_systems SET identifier = identifier - 1
    WHERE ordinal = (SELECT max(ordinal) FROM database_systems)`;
  await database.$executeRaw`UPDATE object_changes SET transaction_id = transaction_id + ${transactions}
    WHERE transaction_id >> 48 = (SELECT max(ordinal) FROM database_systems)`;
}

test('in the system in which a dump is restored, changes follow the cursors that came with it', async () => {
  await add('read');
  await add('not read');
  expect(await systems()).toMatchObject([{ ordinal: 0 }]);
  await cameFromElsewhere(1_000_000_000n);
  const first = await readObjectChanges(database, workspaceId, START, ALL, 1);
  expect(first.items).toMatchObject([{ object: { name: 'read' } }]);
  // Changes of the other system are settled before anything is written here.
  expect(await namesAfter(first.position)).toMatchObject({ names: ['not read'] });
  const { next } = await namesAfter(first.position);
  await Promise.all(Array.from({ length: 10 }, (_, number) => add(`here ${number}`)));
  const allHere = Array.from({ length: 10 }, (_, number) => `here ${number}`);
  await poll(async () => (await namesAfter(next)).names.sort()).toEqual(allHere);
  const here = await namesAfter(next);
  expect(await systems()).toMatchObject([{ ordinal: 0 }, { ordinal: 1 }]);

  // Repeats this with first writers that find the system unknown and write immediately.
  await cameFromElsewhere(0n);
  await Promise.all(Array.from({ length: 10 }, (_, number) => add(`there ${number}`)));
  await poll(async () => (await namesAfter(here.next)).names).toHaveLength(10);
  expect(await systems()).toMatchObject([{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }]);
});
