import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { recallFacts, rememberFact } from '../../prisma/store/memory/facts.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

let own: MigratedDatabase;
const workspaceId = v7();
const agentId = v7();

beforeAll(async () => {
  own = await startMigratedDatabase();
  const projectId = v7();
  await own.database.workspace.create({ data: { id: workspaceId, name: 'w' } });
  await own.database.project.create({ data: { id: projectId, workspaceId, name: 'p' } });
  await own.database.agent.create({
    data: { id: agentId, workspaceId, projectId, slug: 'a', name: 'a', hash: new Uint8Array(32), definition: {} },
  });
});
afterAll(() => own?.dispose());

test('of twenty facts that come at once a place keeps as many as it has room for', async () => {
  const place = { workspaceId, agentId, userId: null, apiKeyId: null, retentionDays: null };
  const tell = (fact: string) => rememberFact(own.database, place, { id: v7(), fact, most: 7 });
  const written = await Promise.all(Array.from({ length: 20 }, (_, index) => tell(`fact ${index}`)));
  const kept = written.filter((id) => id !== undefined);
  expect(kept).toHaveLength(7);
  const facts = await recallFacts(own.database, place, { words: [], limit: 50 });
  expect(facts.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  const [known] = facts;
  expect(await tell(known?.fact ?? '')).toBe(known?.id);
  expect(await tell('one more')).toBeUndefined();
});
