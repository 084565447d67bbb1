import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import { authorOf } from '../../domain/object/author.ts';
import type { StateSchema } from '../../domain/object/stateSchema.ts';
import { createObject } from '../../engine/objects/createObject.ts';
import { setObjectState } from '../../engine/objects/setObjectState.ts';
import { upsertObjectType } from '../../engine/objects/upsertObjectType.ts';
import { checksUpTo, problemsOf } from '../setup/database/objectChecks.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

let own: MigratedDatabase;
const workspaceId = randomUUID();
const viewer: Viewer = { kind: 'apiKey', apiKeyId: randomUUID(), workspaceId, permissions: new Set() };
const CHECKS = checksUpTo(10_000);

beforeAll(async () => {
  own = await startMigratedDatabase();
  await own.database.workspace.create({ data: { id: workspaceId, name: 'w' } });
});
afterAll(() => own?.dispose());

async function entityOf(slug: string, stateSchema: StateSchema) {
  const { database } = own;
  const context = { database, workspaceId, newId: v7(), createdByUserId: null, dryRun: false, check: CHECKS.check };
  await upsertObjectType({ ...context, problemsOf }, { slug, managedByCode: false, stateSchema });
  const id = v7();
  const entity = { id, type: { slug }, name: 'e', attributes: {}, by: { type: 'apiKey', id: v7() } as const };
  await createObject(database, workspaceId, entity, CHECKS);
  const move = async (moveId: string, to: string) => {
    const wanted = { id: moveId, to, reason: null, by: authorOf(viewer) };
    return (await setObjectState(database, viewer, id, wanted, CHECKS, {})).state;
  };
  const history = async () =>
    (await database.objectStateChange.findMany({ where: { objectId: id }, orderBy: { revision: 'asc' } })).map(
      ({ fromState, toState }) => `${fromState} ${toState}`,
    );
  return { move, history };
}

const STATES = [
  { id: 'open', name: 'Open' },
  { id: 'closed', name: 'Closed' },
];

test('a move that is tried again after others moved the entity back is not made again', async () => {
  const { move, history } = await entityOf('order', { initial: 'open', states: STATES });
  const [close, reopen] = [v7(), v7()];
  expect(await move(close, 'closed')).toBe('closed');
  expect(await move(close, 'closed')).toBe('closed');
  expect(await move(reopen, 'open')).toBe('open');
  expect(await move(close, 'closed')).toBe('open');
  expect(await history()).toEqual(['open closed', 'closed open']);
  expect(await move(v7(), 'closed')).toBe('closed');
});

test('a move to the same state is made once for each move that is asked for', async () => {
  const transitions = [{ from: 'open', to: 'open', name: 'Remind' }];
  const { move, history } = await entityOf('reminder', { initial: 'open', states: STATES, transitions });
  const remind = v7();
  expect(await move(remind, 'open')).toBe('open');
  expect(await move(remind, 'open')).toBe('open');
  expect(await history()).toEqual(['open open']);
  await Promise.all(Array.from({ length: 10 }, () => move(remind, 'open')));
  expect(await history()).toEqual(['open open']);
  const again = v7();
  await Promise.all(Array.from({ length: 10 }, () => move(again, 'open')));
  expect(await history()).toEqual(['open open', 'open open']);
});
