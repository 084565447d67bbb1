import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { buildApp } from '../../api/app.ts';
import { isAct, resourceTypeOf } from '../../api/audit/audited.ts';
import { CombinedWrites } from '../../api/audit/combinedWrites.ts';
import { KeyThrottle } from '../../api/audit/keyThrottle.ts';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import { OPERATIONS } from '../../api/operations/table.ts';
import { deleteOldEntries, insertEntries } from '../../prisma/store/audit/entries.ts';
import { api } from '../setup/api/client.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

let own: OwnApi;

beforeAll(async () => {
  own = await startOwnApi();
});
afterAll(async () => {
  await own?.dispose();
});

const entries = (requestId: string) => own.database.auditEntry.findMany({ where: { requestId } });

test('an entry exists before its act begins', async () => {
  let during: unknown;
  const operations = {
    ...OPERATIONS,
    createProject: async ({ requestId }: { requestId: string }) => {
      during = await entries(requestId);
      throw new Error('the process dies here');
    },
  };
  const url = await own.serve(buildApp(own.services, operations));
  const answer = await api(url, own.apiKey)('POST', '/api/projects', { body: { name: 'P' } });
  expect(answer.status).toBe(500);
  expect(during).toMatchObject([{ action: 'createProject', outcome: 'unknown', workspaceId: own.workspaceId }]);
  await own.services.audit.settled();
  expect(await entries(answer.body.requestId)).toMatchObject([{ outcome: 'failure' }]);
});

test('an act that cannot be logged is not done; a refusal stays a refusal', async () => {
  const call = api(own.url, own.apiKey);
  await own.database.$executeRaw`ALTER TABLE audit_entries RENAME TO elsewhere`;
  try {
    const refused = await call('POST', '/api/projects', { body: { name: 'Untold' } });
    expect(refused.status).toBe(500);
    const body = { email: 'w@example.com', password: 'wrong' };
    expect((await api(own.url)('POST', '/api/auth/login', { body })).status).toBe(401);
  } finally {
    await own.database.$executeRaw`ALTER TABLE elsewhere RENAME TO audit_entries`;
  }
  expect(await own.database.project.count({ where: { name: 'Untold' } })).toBe(0);
});

test('entries that are older than so many days are deleted in batches, the oldest first', async () => {
  const { workspaceId } = own;
  const day = 86_400_000;
  const entryOf = (days: number) => ({
    ...{ id: v7({ msecs: Date.now() - days * day }), workspaceId, actor: null, action: `day ${days}` },
    ...{ resourceType: 'project', resourceId: null, outcome: 'success' as const, address: '', requestId: 'old' },
  });
  await insertEntries(own.database, [4, 3, 2, 0].map(entryOf));
  expect(await deleteOldEntries(own.database, 1, 2)).toBe(2);
  expect((await entries('old')).map(({ action }) => action).sort()).toEqual(['day 0', 'day 2']);
  expect(await deleteOldEntries(own.database, 1, 2)).toBe(1);
  expect(await deleteOldEntries(own.database, 1, 2)).toBe(0);
});

test('every act is about a type of resource', () => {
  const routes = routesOf(readOpenApi()).filter((route) => route.path.startsWith('/api/'));
  for (const route of routes) expect(resourceTypeOf(route)).toMatch(/^[a-z]\w+$/i);
  const none = routes.filter((route) => route.method !== 'get' && !isAct(route));
  expect(none.map(({ operationId }) => operationId).sort()).toEqual([
    'claimQueueItems',
    'heartbeatQueueItem',
    'loadOptions',
    'refreshToken',
    'searchKnowledge',
    'validateWorkflow',
  ]);
});

test('entries that arrive during a statement go together with the next; a failure reaches the entries of its statement', async () => {
  const written: number[][] = [];
  let release = () => {};
  const gathered = new CombinedWrites<number>(async (items) => {
    written.push([...items]);
    if (items.includes(0)) await new Promise<void>((resolve) => (release = resolve));
    if (items.includes(3)) throw new Error('no three');
  });
  const first = gathered.add(0);
  await new Promise(setImmediate);
  const others = Promise.allSettled([1, 2, 3].map((item) => gathered.add(item)));
  release();
  await first;
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await gathered.add(4);
  await gathered.idle();
  expect(written).toEqual([[0], [1, 2, 3], [4]]);
});

test('the same thing is due once in a while', () => {
  const seldom = new KeyThrottle(1_000);
  expect([seldom.isDue('a', 0), seldom.isDue('a', 999), seldom.isDue('b', 999), seldom.isDue('a', 1_000)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
