// test: long
import { expect, test } from '@jest/globals';
import type { PollConfig } from '../../domain/workflow/definition.ts';
import { unseenKeys } from '../../prisma/store/poll/readPollStorage.ts';
import { addSeenKeys, deleteOldKeys, deletePollStorage } from '../../prisma/store/poll/writePollStorage.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const POLL = { timeout: 40_000, interval: 200 };
/** Temporal removes a workflow from its list after a dozen seconds, or more on a busy machine. */
const TAKEN_OUT = { timeout: 300_000, interval: 500 };
/** The maximum, so that the schedule does not fire during a test; a daily one fires at midnight. */
const SELDOM_MS = 366 * 86_400_000;
const shows = action('show', 'core.transform', { value: '{{ trigger.item }}' });

/** Starts a server with a list that the test changes, and deploys a workflow that polls it. */
async function polled(home: Home, config: Partial<PollConfig> = {}) {
  const list: { id: number; note?: string }[] = [{ id: 1 }, { id: 2 }];
  const server = await loopback((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  const inputs = { url: server.url };
  const poll: PollConfig = { appId: 'http', triggerId: 'poll', inputs, everyMs: SELDOM_MS, ...config };
  const trigger = { id: 'trigger' as const, type: 'poll' as const, config: poll };
  const slug = 'polls';
  const workflowId = await home.deploy({ slug, trigger, nodes: [shows] });
  const off = () => home.deploy({ slug, trigger, nodes: [shows], isActive: false });
  return { list, server, workflowId, off };
}

async function look(home: Home, workflowId: string): Promise<string> {
  return (await stackTemporal()).workflow.execute('runPoll', {
    workflowId: `poll-${workflowId}-${Math.random()}`,
    taskQueue: 'perdure',
    args: [{ workspaceId: home.workspaceId, workflowId }],
  });
}

async function outputs(home: Home, workflowId: string): Promise<unknown[]> {
  const path = `/api/executions?filterBy=workflowId:${workflowId}&expansion=status,output,executionNumber`;
  const { body } = await home.api('GET', path);
  const done = body.filter(({ status }: { status: string }) => status === 'COMPLETED');
  const byNumber = done.sort((a: Numbered, b: Numbered) => a.executionNumber - b.executionNumber);
  return byNumber.map(({ output }: Numbered) => output);
}
interface Numbered {
  executionNumber: number;
  output: unknown;
}

async function statusOf(home: Home, workflowId: string) {
  const path = `/api/workflows/${workflowId}?expansion=pollStorage,triggerStatus,nextScheduledExecution`;
  return (await home.api('GET', path)).body;
}

test('by the clock: existing items start nothing, each new one starts one execution, and off is off', async () => {
  const home = await makeHome();
  const { list, server, workflowId, off } = await polled(home, { everyMs: 1_000 });
  await poll(() => statusOf(home, workflowId), POLL).toMatchObject({
    pollStorage: { seenKeys: 2 },
    triggerStatus: { lastError: null },
    nextScheduledExecution: null,
  });
  list.push({ id: 3 }, { id: 4 });
  await poll(() => outputs(home, workflowId), POLL).toEqual([{ id: 3 }, { id: 4 }]);
  const seen = server.calls.length;
  await poll(() => server.calls.length, POLL).toBeGreaterThan(seen);
  expect(await outputs(home, workflowId)).toHaveLength(2);
  await off();
  const schedule = (await stackTemporal()).schedule.getHandle(`schedule-${workflowId}`);
  await expect(schedule.describe()).rejects.toThrow(/not found/i);
  expect(await look(home, workflowId)).toBe('STOPPED 0');
});

test('all: the first look starts the existing items; a look whose cursor was lost starts nothing twice', async () => {
  const home = await makeHome();
  const { workflowId, list } = await polled(home, { startWith: 'all' });
  expect(await look(home, workflowId)).toBe('POLLED 2');
  await poll(() => outputs(home, workflowId), POLL).toEqual([{ id: 1 }, { id: 2 }]);
  const { body: started } = await home.api('GET', '/api/executions?filterBy=startedBy:poll&expansion=startedBy');
  expect(started.map(({ startedBy }: { startedBy: object }) => startedBy)).toEqual(Array(2).fill({ type: 'poll' }));
  expect(await look(home, workflowId)).toBe('POLLED 0');
  // Simulates a worker that died after starting them, before it stored their keys.
  await stackDatabase().$executeRaw`DELETE FROM poll_seen_keys WHERE workflow_id = ${workflowId}::uuid`;
  await stackDatabase().$executeRaw`DELETE FROM poll_storage WHERE workflow_id = ${workflowId}::uuid`;
  list.push({ id: 3 });
  expect(await look(home, workflowId)).toBe('POLLED 3');
  await poll(() => outputs(home, workflowId), POLL).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('looks that found nothing do not fill the list of the engine: the next one takes them out, and leaves the others', async () => {
  const home = await makeHome();
  const { workflowId, list } = await polled(home);
  const { workflow } = await stackTemporal();
  const ids: string[] = [];
  const isListed = async (id: string) => {
    for await (const { status } of workflow.list({ query: `WorkflowId = '${id}'` })) return status.name === 'COMPLETED';
    return false;
  };
  const lookAs = async (name: string, answer: string) => {
    const id = `poll-${workflowId}-${name}`;
    const args = [{ workspaceId: home.workspaceId, workflowId }];
    expect(await workflow.execute('runPoll', { workflowId: id, taskQueue: 'perdure', args })).toBe(answer);
    // Polls are at least a second apart, so Temporal has recorded the previous end everywhere.
    await poll(() => isListed(id), POLL).toBe(true);
    ids.push(id);
  };
  const listed = () => Promise.all(ids.map(isListed));
  await lookAs('first', 'POLLED 0');
  await lookAs('idle', 'POLLED 0');
  list.push({ id: 3 });
  await lookAs('found', 'POLLED 1');
  await lookAs('after', 'POLLED 0');
  await lookAs('last', 'POLLED 0');
  await poll(listed, TAKEN_OUT).toEqual([false, false, true, false, true]);
}, 360_000);

test('a failed look is reported, stores nothing, and the next one continues', async () => {
  const home = await makeHome();
  let status = 200;
  const list = [{ id: 'a' }];
  const server = await loopback((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  const { workflowId } = await polled(home, { inputs: { url: server.url } });
  expect(await look(home, workflowId)).toBe('POLLED 0');
  status = 500;
  list.push({ id: 'b' });
  expect(await look(home, workflowId)).toBe('FAILED HTTP_STATUS');
  expect(await statusOf(home, workflowId)).toMatchObject({
    pollStorage: { seenKeys: 1 },
    triggerStatus: { lastError: { code: 'HTTP_STATUS', message: expect.stringContaining('500') } },
  });
  status = 200;
  expect(await look(home, workflowId)).toBe('POLLED 1');
  expect((await statusOf(home, workflowId)).triggerStatus.lastError).toBeNull();
});

test('respects a pause that the server requests', async () => {
  const home = await makeHome();
  const server = await loopback((_, response) => void response.writeHead(429, { 'retry-after': '3600' }).end());
  const { workflowId } = await polled(home, { inputs: { url: server.url } });
  expect(await look(home, workflowId)).toBe('FAILED HTTP_STATUS');
  expect(await look(home, workflowId)).toBe('WAITED 0');
  expect(server.calls).toHaveLength(1);
});

test('an item whose start fails delays no other, is reported, and starts as soon as it can', async () => {
  const home = await makeHome();
  const { list, workflowId } = await polled(home, { startWith: 'all' });
  list.push({ id: 3 });
  const database = stackDatabase();
  const name = `refuses_${workflowId.replaceAll('-', '')}`;
  await database.$executeRawUnsafe(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await database.$executeRawUnsafe(`CREATE TRIGGER ${name} BEFORE INSERT ON executions FOR EACH ROW
    WHEN (NEW.workflow_id = '${workflowId}' AND NEW.trigger -> 'item' ->> 'id' = '2') EXECUTE FUNCTION ${name}()`);
  try {
    expect(await look(home, workflowId)).toBe('FAILED POLL_START_FAILED');
    await poll(() => outputs(home, workflowId), POLL).toEqual([{ id: 1 }, { id: 3 }]);
    expect((await statusOf(home, workflowId)).triggerStatus.lastError).toEqual({
      code: 'POLL_START_FAILED',
      message: 'An item could not be started; the next look tries again.',
    });
  } finally {
    await database.$executeRawUnsafe(`DROP FUNCTION ${name} CASCADE`);
  }
  expect(await look(home, workflowId)).toBe('POLLED 1');
  await poll(() => outputs(home, workflowId), POLL).toEqual([{ id: 1 }, { id: 3 }, { id: 2 }]);
  expect((await statusOf(home, workflowId)).triggerStatus.lastError).toBeNull();
});

test('an answer that is nested too deeply fails the look, not the trigger', async () => {
  const home = await makeHome();
  const deep = `[{"id":1,"list":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`;
  const server = await loopback((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(deep);
  });
  const { workflowId } = await polled(home, { inputs: { url: server.url }, startWith: 'all' });
  expect(await look(home, workflowId)).toMatch(/^FAILED /);
  expect((await statusOf(home, workflowId)).triggerStatus.lastError).not.toBeNull();
});

test('another source begins without a cursor; the same key of another source is another item', async () => {
  const home = await makeHome();
  const first = await polled(home, { startWith: 'all' });
  expect(await look(home, first.workflowId)).toBe('POLLED 2');
  const second = await polled(home, { startWith: 'all' });
  expect(second.workflowId).toBe(first.workflowId);
  expect(await look(home, first.workflowId)).toBe('POLLED 2');
  await poll(() => outputs(home, first.workflowId), POLL).toHaveLength(4);
});

test('files.changed is off without FILES_ROOT, and says so', async () => {
  const home = await makeHome();
  const { workflowId } = await polled(home, { appId: 'files', triggerId: 'changed', inputs: { folder: 'in' } });
  expect(await look(home, workflowId)).toBe('FAILED FILES_NOT_ENABLED');
  expect((await statusOf(home, workflowId)).triggerStatus.lastError.message).toContain('FILES_ROOT');
});

test('requires an existing connection of the app', async () => {
  const home = await makeHome();
  const connectionId = '0198a000-0000-7000-8000-000000000000';
  const config = { appId: 'http', triggerId: 'poll', inputs: { url: 'http://x.test' }, everyMs: 60_000, connectionId };
  const body = { slug: 'wrong', trigger: { id: 'trigger', type: 'poll', config }, nodes: [shows], edges: [] };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toEqual([
    {
      ...{ code: 'INVALID', severity: 'error', path: 'trigger.config.connectionId' },
      message: `there is no connection ${connectionId}`,
    },
  ]);
});

test('a look that finds more than POLL_MAX_ITEMS starts nothing', async () => {
  const home = await makeHome();
  const { list, workflowId } = await polled(home, { startWith: 'all' });
  list.push(...Array.from({ length: 4_999 }, (_, index) => ({ id: index + 3 })));
  expect(await look(home, workflowId)).toBe('FAILED POLL_TOO_MANY_ITEMS');
  expect(await outputs(home, workflowId)).toEqual([]);
});

test('removes the oldest keys, but none of a current item', async () => {
  const home = await makeHome();
  const { workspaceId } = home;
  const workflow = {
    workspaceId,
    workflowId: await home.deploy({ nodes: [action('a', 'core.set', { values: {} })] }),
    source: 's',
  };
  const database = stackDatabase();
  await addSeenKeys(database, { ...workflow, source: 'before' }, ['x']);
  await addSeenKeys(database, workflow, ['a', 'b', 'c', 'd', 'e']);
  await deleteOldKeys(database, workflow, { present: ['a'], most: 2 });
  expect([...(await unseenKeys(database, workflow, ['a', 'b', 'c', 'd', 'e']))]).toEqual(['b', 'c']);
  expect([...(await unseenKeys(database, { ...workflow, source: 'before' }, ['x']))]).toEqual(['x']);
  await deletePollStorage(database, workspaceId, workflow.workflowId);
});

test('no read of the execution shows a credential that its item repeats', async () => {
  const home = await makeHome();
  const apiKey = 'hunter22-of-the-connection';
  const connected = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { credentials: { apiKey, allowedHosts: ['127.0.0.1'] } },
  });
  const { list, server, workflowId } = await polled(home, { startWith: 'all', connectionId: connected.body.id });
  list.splice(0, 2, { id: 1, note: `asked with ${apiKey}` }, { id: 2, note: 'nothing' });
  expect(await look(home, workflowId)).toBe('POLLED 2');
  expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  await poll(async () => (await outputs(home, workflowId)).length, POLL).toBe(2);
  expect(await outputs(home, workflowId)).toEqual([
    { id: 1, note: 'asked with ***' },
    { id: 2, note: 'nothing' },
  ]);
});
