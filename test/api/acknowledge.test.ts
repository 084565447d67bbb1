import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { bulkAcknowledgeExecutions } from '../../api/operations/executions/acknowledgeOperations.ts';
import type { Services } from '../../api/services.ts';
import { api } from '../setup/api/client.ts';
import { followWorkspace } from '../setup/api/workspaceEvents.ts';
import { poll } from '../setup/jest/poll.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const failing = { slug: 'w', nodes: [action('check', 'core.assert', { condition: false })] };

async function withFailures(count: number) {
  const home = await makeHome();
  const workflowId = await home.deploy(failing);
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await home.ended(await home.execute(workflowId))).id);
  return { home, workflowId, ids: ids as [string, ...string[]] };
}

const acknowledge = ({ api }: Pick<Home, 'api'>, id: string, body?: object) =>
  api('POST', `/api/executions/${id}/acknowledge`, body === undefined ? {} : { body });
const inBulk = ({ api }: Home, body: object) => api('POST', '/api/executions/bulk/acknowledge', { body });

async function found({ api }: Home, filterBy: string): Promise<string[]> {
  const { body } = await api('GET', `/api/executions?filterBy=${filterBy}`);
  return body.map(({ id }: { id: string }) => id);
}

test('records who acknowledged a failure, when and why, and keeps the first of several', async () => {
  const { home, ids } = await withFailures(2);
  const [id, other] = ids;
  const before = await home.read(id, 'acknowledged');
  expect(before.acknowledged).toBeNull();
  const person = { api: await home.person() };
  const { status, body } = await acknowledge(person, id, { note: '  Paid by hand ' });
  expect([status, body]).toEqual([
    200,
    {
      executionId: id,
      acknowledged: {
        at: expect.any(String),
        by: { type: 'user', id: expect.any(String), name: expect.any(String) },
        note: 'Paid by hand',
      },
    },
  ]);
  expect((await acknowledge(home, id, { note: 'Later' })).body).toEqual(body);
  const { acknowledged, status: after, statusMessage } = await home.read(id, 'acknowledged');
  expect([acknowledged, after, statusMessage]).toEqual([body.acknowledged, 'FAILED', before.statusMessage]);
  const plain = (await acknowledge(home, other as string)).body.acknowledged;
  expect(plain).toMatchObject({ by: { type: 'apiKey' }, note: null });

  const { body: log } = await home.api('GET', '/api/audit-log?filterBy=action:acknowledgeExecution');
  expect(log.map(({ resourceId, outcome }: Record<string, string>) => [resourceId, outcome])).toEqual(
    [other, id, id].map((each) => [each, 'success']),
  );
});

test('concurrent calls all get the acknowledgement of the first', async () => {
  const { home, ids } = await withFailures(1);
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((note) => acknowledge(home, ids[0], { note })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test('refuses what has not failed, and notes over the limit', async () => {
  const { home, ids } = await withFailures(1);
  const completed = (await home.run({ nodes: [action('a', 'core.set', { values: { a: 1 } })] })).id;
  const open = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(open, 'ask');
  const refused = await acknowledge(home, open);
  expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
  expect((await acknowledge(home, completed)).status).toBe(409);
  await home.api('POST', `/api/executions/${open}/cancel`);
  expect((await acknowledge(home, open)).body.detail).toContain('CANCELLED');
  expect((await acknowledge(home, randomUUID())).status).toBe(404);
  expect((await acknowledge(home, ids[0], { note: 'x'.repeat(1_001) })).status).toBe(400);
  expect((await acknowledge(home, ids[0], { note: 'x'.repeat(1_000) })).status).toBe(200);
});

test('needs executions:run, and does not reach another workspace', async () => {
  const { home, ids } = await withFailures(1);
  const stranger = await makeHome();
  const reader = { api: api(home.url, (await keyOf(home, 'executions:read')).key) };
  expect((await acknowledge(reader, ids[0])).status).toBe(403);
  expect((await acknowledge(stranger, ids[0])).status).toBe(404);
  expect((await inBulk(stranger, { executionIds: ids })).body.matched).toBe(0);
  expect((await home.read(ids[0], 'acknowledged')).acknowledged).toBeNull();
});

test('lists, counts and statistics leave acknowledged and retried failures out if the filter asks for it', async () => {
  const { home, workflowId, ids } = await withFailures(3);
  const [acknowledged, retried, left] = ids;
  await acknowledge(home, acknowledged);
  await home.deploy({ ...failing, nodes: [action('check', 'core.assert', { condition: true })] });
  const { body } = await home.api('POST', `/api/executions/${retried}/retry`, { body: { version: 'latest' } });
  expect((await home.ended(body.executionId)).status).toBe('COMPLETED');
  const filterBy = `workflowId:${workflowId},status:FAILED|TIMED_OUT,retried:false,acknowledged:false`;
  expect(await found(home, filterBy)).toEqual([left]);
  expect(await found(home, 'acknowledged:true')).toEqual([acknowledged]);
  const counts = await home.api('GET', `/api/executions/counts?filterBy=${filterBy}`);
  expect(counts.body.FAILED).toBe(1);
  const { body: statistics } = await home.api(
    'GET',
    `/api/executions/statistics?groupBy=errorCode&filterBy=${filterBy}`,
  );
  expect(statistics.groups.map(({ counts }: { counts: { FAILED: number } }) => counts.FAILED)).toEqual([1]);
});

test('acknowledges by filter or by id: counts first, and skips what was acknowledged or has not failed', async () => {
  const { home, workflowId, ids } = await withFailures(3);
  const completed = (await home.run({ nodes: [action('a', 'core.set', { values: { a: 1 } })] })).id;
  await acknowledge(home, ids[0], { note: 'first' });
  expect((await inBulk(home, { all: true, dryRun: true })).body).toEqual({ count: 2 });
  const named = await inBulk(home, { executionIds: [ids[0], ids[1], completed, randomUUID()], note: 'second' });
  expect(named.body).toEqual({ matched: 1, accepted: 1, failed: [], remaining: 0 });
  const stream = await followWorkspace(home.url, home.apiKey);
  const all = await inBulk(home, { filterBy: `workflowId:${workflowId}`, note: 'third' });
  expect(all.body).toEqual({ matched: 1, accepted: 1, failed: [], remaining: 0 });
  const notes = await Promise.all(ids.map(async (id) => (await home.read(id, 'acknowledged')).acknowledged.note));
  expect(notes).toEqual(['first', 'second', 'third']);
  // Other pages reload their lists.
  await poll(() => stream.data('execution.changed').at(-1)).toEqual({ id: ids[2], status: 'FAILED', workflowId });
  stream.close();
  for (const body of [{}, { filterBy: '' }, { filterBy: 'source:SDK', all: true }]) {
    expect((await inBulk(home, body)).status).toBe(400);
  }
});

test('acknowledges at most BULK_EXECUTIONS_MAX per call, earliest starts first', async () => {
  const { home, ids } = await withFailures(3);
  const services = { database: stackDatabase(), config: { BULK_EXECUTIONS_MAX: 2 } } as Services;
  const caller = { workspaceId: home.workspaceId, permissions: new Set(), kind: 'apiKey', apiKeyId: randomUUID() };
  const request = { caller, services, body: { all: true } };
  const call = () => bulkAcknowledgeExecutions(request as unknown as Parameters<typeof bulkAcknowledgeExecutions>[0]);
  expect(await call()).toEqual({ matched: 3, accepted: 2, failed: [], remaining: 1 });
  expect(await found(home, 'acknowledged:false')).toEqual([ids[2]]);
  expect(await call()).toEqual({ matched: 1, accepted: 1, failed: [], remaining: 0 });
});
