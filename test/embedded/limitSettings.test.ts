import { afterAll, beforeAll, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import { type Api, api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

// Changes limits whose defaults are too large to reach or too long to await.

const LOGIN = { email: 'w@example.com', password: 'a long password' };

let own: OwnApi;
let call: Api;

beforeAll(async () => {
  own = await startOwnApi({
    ...{ EXECUTION_COUNT_MAX: '3', EXECUTION_STATISTICS_MAX: '4', BULK_ITEMS_MAX: '2', MAX_BUNDLE_RESOURCES: '2' },
    ...{ MAX_BODY_DEPTH: '10', MAX_BODY_BYTES: '2000', MAX_BULK_BODY_BYTES: '4000' },
    ...{ REFRESH_TOKEN_TTL: '2h', CONFIRMATION_MAX_AGE: '1h', INVITATION_TTL: '3h' },
  });
  call = api(own.url, own.apiKey);
});
afterAll(() => own?.dispose());

const hoursUntil = (time: string | number | Date) => Math.round((new Date(time).getTime() - Date.now()) / 36_000) / 100;

test('executions are counted up to EXECUTION_COUNT_MAX of each status, statistics up to EXECUTION_STATISTICS_MAX of all', async () => {
  const client = await own.database.pool.connect();
  await client.query('BEGIN');
  // Foreign keys are not under test.
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables, stopped_at)
     SELECT gen_random_uuid(), $1, $1, $1, n, 'w', 'WORKFLOW', CASE WHEN n <= 2 THEN 'COMPLETED' ELSE 'FAILED' END, '{}', '{}', now()
     FROM generate_series(1, 8) n`,
    [own.workspaceId],
  );
  await client.query('COMMIT');
  client.release();
  const { body } = await call('GET', '/api/executions/counts');
  expect([body.COMPLETED, body.FAILED, body.RUNNING]).toEqual([2, 3, 0]);
  const statistics = await call('GET', '/api/executions/statistics');
  const counts = statistics.body.buckets.map((each: { counts: Record<string, number> }) => each.counts);
  const all = counts.flatMap((each: Record<string, number>) => Object.values(each));
  expect(all.reduce((sum: number, one: number) => sum + one, 0)).toBe(4);
  expect([statistics.body.bounded, typeof statistics.body.countedFrom]).toEqual([true, 'string']);
});

test('one bulk requeue moves at most BULK_ITEMS_MAX items, and says how many there are', async () => {
  const queueId = await makeQueue(own.database, own);
  await addItems(own.database, own.workspaceId, queueId, [{}, {}, {}]);
  await own.database.queueItem.updateMany({ where: { queueId }, data: { status: 'FAILED' } });
  const requeue = () =>
    call('POST', `/api/queues/${queueId}/items/bulk/requeue`, { body: { filterBy: 'status:FAILED' } });
  expect((await requeue()).body).toEqual({ matched: 3, requeued: 2 });
  expect((await requeue()).body).toEqual({ matched: 1, requeued: 1 });
});

test('a bundle has at most MAX_BUNDLE_RESOURCES resources', async () => {
  const resources = ['A', 'B', 'C'].map((slug) => ({ kind: 'variable', slug, value: 1 }));
  const { status, body } = await call('POST', `/api/projects/${own.projectId}/apply`, { body: { resources } });
  expect([status, body.errors]).toEqual([
    400,
    [{ path: 'resources', message: '3 resources, at most 2 are allowed (MAX_BUNDLE_RESOURCES)' }],
  ]);
});

test('bodies have their largest sizes, those of bulk operations another, and a greatest depth', async () => {
  const value = 'x'.repeat(3_000);
  expect((await call('POST', '/api/variables', { body: { name: 'v', value } })).status).toBe(413);
  const queueId = await makeQueue(own.database, own);
  const add = (data: object) => call('POST', `/api/queues/${queueId}/items/bulk`, { body: { items: [{ data }] } });
  expect((await add({ value })).status).toBe(201);
  expect((await add({ value: value + value })).status).toBe(413);
  let nested: object = {};
  for (let depth = 0; depth < 10; depth += 1) nested = { nested };
  const deep = await call('POST', '/api/variables', { body: { name: 'v', value: nested } });
  expect([deep.status, deep.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect((await call('POST', '/api/variables', { body: { name: 'v', value: { a: { b: 1 } } } })).status).toBe(201);
});

test('sessions, proofs and invitations live as long as the settings say', async () => {
  const { body } = await api(own.url)('POST', '/api/auth/login', { body: LOGIN, headers: fromElsewhere() });
  const { exp = 0 } = jwt.decode(body.refresh_token) as jwt.JwtPayload;
  expect(hoursUntil(exp * 1_000)).toBeCloseTo(2, 1);
  const session = await own.database.session.findFirstOrThrow();
  expect(hoursUntil(session.expiresAt)).toBeCloseTo(2, 1);

  const owner = api(own.url, body.access_token);
  const makeKey = () => owner('POST', '/api/api-keys', { body: { name: `k${v7()}`, permissions: ['projects:read'] } });
  const prove = (minutesAgo: number) =>
    own.database.session.updateMany({ data: { provedAt: new Date(Date.now() - minutesAgo * 60_000) } });
  await prove(55);
  expect((await makeKey()).status).toBe(201);
  await prove(61);
  expect((await makeKey()).body.code).toBe('CONFIRMATION_REQUIRED');

  const added = await call('POST', '/api/workspace/users', { body: { email: 'b@example.com', role: 'consumer' } });
  expect(hoursUntil(added.body.invitation.expiresAt)).toBeCloseTo(3, 1);

  await own.database.session.updateMany({ data: { expiresAt: new Date() } });
  const late = await api(own.url)('POST', '/api/auth/refresh-token', { body: { refresh_token: body.refresh_token } });
  expect(late.status).toBe(401);
});
