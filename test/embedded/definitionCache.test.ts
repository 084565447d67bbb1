import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import { WorkspaceApps } from '../../engine/apps/workspaceApps.ts';
import { DefinitionCache } from '../../engine/executions/definitionCache.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase();
});
afterAll(() => own?.dispose());

test('a definition that is kept is of its workspace alone', async () => {
  const cache = new DefinitionCache(own.database, new WorkspaceApps(own.database, buildCatalogue({ testing: false })));
  const [workspaceId, executionId] = [v7(), v7()];
  const kept = await cache.add(workspaceId, executionId, {
    trigger: { id: 'trigger', type: 'manual', config: {} },
    nodes: [],
    edges: [],
  });
  expect(await cache.get({ workspaceId, executionId })).toBe(kept);
  await expect(cache.get({ workspaceId: v7(), executionId })).rejects.toThrow(`There is no definition ${executionId}`);
});
