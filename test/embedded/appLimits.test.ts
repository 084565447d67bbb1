import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readApp } from '../../domain/app/customManifest.ts';
import { upsertApp, upsertApps } from '../../prisma/store/app/upsertApp.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';

let own: MigratedDatabase;
let workspaceId: string;

beforeAll(async () => {
  own = await startMigratedDatabase();
});
afterAll(() => own?.dispose());
beforeEach(async () => {
  workspaceId = await insertOwnWorkspace(own.database);
});

/** Its manifest has about 1,000 bytes, and `description` more. */
function change(slug: string, description = '') {
  const runs = { on: 'http', baseUrl: 'https://shop.example' };
  const given = { slug, description, runs, actions: [{ actionId: 'a', description: 'x'.repeat(100) }] };
  const { app } = readApp(given, { maxActions: 10, maxBytes: 100_000 }, new Map());
  if (!app) throw new Error('the app is not valid');
  return { id: randomUUID(), app, managedByCode: true, createdByUserId: null };
}

const versions = () => own.database.appVersion.count({ where: { workspaceId } });

test('a workspace has at most MAX_APPS apps; refused ones leave nothing behind', async () => {
  const limits = { MAX_APPS: 2, MAX_APPS_BYTES: 100_000 };
  for (const slug of ['a', 'b']) await upsertApp(own.database, workspaceId, change(slug), limits);
  const refused = { code: 'CONFLICT', message: expect.stringContaining('MAX_APPS)') };
  await expect(upsertApp(own.database, workspaceId, change('c'), limits)).rejects.toMatchObject(refused);
  await expect(upsertApps(own.database, workspaceId, [change('c')], limits)).rejects.toMatchObject(refused);
  expect(await versions()).toBe(2);
  await upsertApp(own.database, workspaceId, change('b', 'New'), limits);
  expect(await versions()).toBe(3);
});

test('the apps of a workspace have at most MAX_APPS_BYTES; refused ones leave nothing behind', async () => {
  const limits = { MAX_APPS: 10, MAX_APPS_BYTES: 5_000 };
  for (const slug of ['a', 'b']) await upsertApp(own.database, workspaceId, change(slug), limits);
  const refused = { code: 'CONFLICT', message: expect.stringContaining('MAX_APPS_BYTES') };
  const large = ['c', 'b'].map((slug) => change(slug, 'x'.repeat(3_900)));
  for (const each of large) {
    await expect(upsertApp(own.database, workspaceId, each, limits)).rejects.toMatchObject(refused);
  }
  await expect(upsertApps(own.database, workspaceId, large, limits)).rejects.toMatchObject(refused);
  expect(await versions()).toBe(2);
  // An equal app needs no room.
  await upsertApp(own.database, workspaceId, change('a'), { ...limits, MAX_APPS_BYTES: 1 });
});
