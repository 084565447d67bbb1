import { expect, test } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../../prisma/client.ts';
import { releaseHeld } from '../../prisma/store/execution/releaseHeld.ts';
import { eventsOf } from '../setup/api/events.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, type Graph, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const PATIENCE = { timeout: 40_000, interval: 100 };
const PATIENT = { maxWait: 20_000, timeout: 30_000 };
const done = action('done', 'core.set', { values: { done: true } });
const PAUSED = { status: 'PENDING', statusMessage: 'Held: the workflow is paused', held: true, executionPath: [] };

const pause = (home: Home, workflowId: string) => home.api('POST', `/api/workflows/${workflowId}/pause`);
const resume = (home: Home, workflowId: string) => home.api('POST', `/api/workflows/${workflowId}/resume`);
const read = (home: Home, executionId: string) => home.read(executionId, 'held', 'executionNumber', 'startedAt');

async function deployPaused(home: Home, graph: Graph & { slug?: string }): Promise<string> {
  const workflowId = await home.deploy(graph);
  expect((await pause(home, workflowId)).body).toEqual({ id: workflowId, paused: true, heldExecutions: 0 });
  return workflowId;
}

async function isInEngine(executionId: string): Promise<boolean> {
  try {
    await (await stackTemporal()).workflow.getHandle(executionId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** Waits by a delay node. */
async function pass(home: Home, forMs: number): Promise<void> {
  await home.run({ nodes: [control('delay', 'delay', { forMs })] });
}

async function children(home: Home, executionId: string) {
  await home.until(executionId, ({ executionPath }) => executionPath[0]?.input?.executionId !== undefined);
  return (await home.read(executionId, 'childExecutions')).childExecutions;
}

test('during a pause, each kind of start is accepted and held, and running executions continue; after it, all run', async () => {
  const home = await makeHome();
  const graph = { slug: 'w', trigger: webhook(), nodes: [question('ask'), done], edges: chain('ask', 'done') };
  const workflowId = await home.deploy(graph);
  const call = () => home.api('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  const running = (await call()).headers.get('x-execution-id') ?? '';
  await home.asked(running, 'ask');
  expect((await pause(home, workflowId)).body).toEqual({ id: workflowId, paused: true, heldExecutions: 0 });
  await home.submit(running, 'ask', { answer: 'x' });
  expect((await home.ended(running)).status).toBe('COMPLETED');

  const called = await call();
  expect(called.status).toBe(200);
  const retried = await home.api('POST', `/api/executions/${running}/retry`, { body: { fromStep: 'done' } });
  const many = await home.api('POST', '/api/executions/bulk/retry', {
    body: { filterBy: `workflowId:${workflowId},status:FAILED`, dryRun: true },
  });
  expect(many.body).toEqual({ count: 0 });
  const heldIds = [called.headers.get('x-execution-id') ?? '', retried.body.executionId];
  for (const id of heldIds) {
    const { executionPath, ...shown } = await read(home, id);
    expect(shown).toMatchObject({ status: 'PENDING', statusMessage: PAUSED.statusMessage, held: true });
    expect(executionPath.filter((step: { reused?: true }) => !step.reused)).toEqual([]);
    expect(await isInEngine(id)).toBe(false);
  }
  expect((await pause(home, workflowId)).body).toEqual({ id: workflowId, paused: true, heldExecutions: 2 });
  const shown = await home.api('GET', `/api/workflows/${workflowId}?expansion=paused,heldExecutions,maxConcurrent`);
  expect(shown.body).toMatchObject({ paused: true, heldExecutions: 2, maxConcurrent: null });
  const listed = await home.api('GET', `/api/executions?filterBy=held:true,workflowId:${workflowId}`);
  expect(listed.body.map(({ id }: { id: string }) => id).sort()).toEqual(heldIds.toSorted());

  expect((await resume(home, workflowId)).body).toEqual({ id: workflowId, paused: false, heldExecutions: 2 });
  expect(await home.ended(heldIds[1] ?? '')).toMatchObject({ status: 'COMPLETED', output: { done: true } });
  await home.asked(heldIds[0] ?? '', 'ask');
  expect((await resume(home, workflowId)).body).toEqual({ id: workflowId, paused: false, heldExecutions: 0 });
  expect((await read(home, heldIds[1] ?? '')).held).toBe(false);
});

test('many failed executions are retried while their workflow is paused: all of them are held, and run afterwards', async () => {
  const home = await makeHome();
  const nodes = [action('check', 'core.assert', { condition: '{{ variables.ready }}' })];
  const { body } = await home.api('POST', '/api/variables', { body: { name: 'ready', value: false } });
  const workflowId = await home.deploy({ nodes });
  for (let count = 0; count < 3; count++) await home.ended(await home.execute(workflowId));
  await home.api('PATCH', `/api/variables/${body.id}`, { body: { value: true } });
  await pause(home, workflowId);
  const bulk = { filterBy: `workflowId:${workflowId}` };
  const answer = await home.api('POST', '/api/executions/bulk/retry', { body: bulk });
  expect(answer.body).toMatchObject({ matched: 3, accepted: 3, failed: [] });
  expect((await resume(home, workflowId)).body.heldExecutions).toBe(3);
  const completed = () => home.api('GET', `/api/executions?filterBy=workflowId:${workflowId},status:COMPLETED`);
  await poll(async () => (await completed()).body.length, PATIENCE).toBe(3);
});

test.each(['cancel', 'terminate'])('%s of a held execution: it ends at once and never starts', async (how) => {
  const home = await makeHome();
  const workflowId = await deployPaused(home, { nodes: [done] });
  const [gone, stays] = [await home.execute(workflowId), await home.execute(workflowId)];
  const answer = await home.api('POST', `/api/executions/${gone}/${how}`, { body: { reason: 'not wanted' } });
  expect(answer).toMatchObject({ status: 200, body: { executionId: gone, status: 'CANCELLED' } });
  expect((await resume(home, workflowId)).body.heldExecutions).toBe(1);
  expect((await home.ended(stays)).status).toBe('COMPLETED');
  expect(await read(home, gone)).toMatchObject({ status: 'CANCELLED', statusMessage: 'not wanted', held: false });
  expect(await isInEngine(gone)).toBe(false);
});

test('a stream shows why an execution is held, and continues after its release', async () => {
  const home = await makeHome();
  const workflowId = await deployPaused(home, { nodes: [done] });
  const id = await home.execute(workflowId);
  const messages: unknown[] = [];
  for await (const { event, data } of eventsOf(home.api, id)) {
    if (event === 'heartbeat') continue;
    if (messages.length === 0) await resume(home, workflowId);
    messages.push(data.statusMessage);
    if (event === 'execution.finished') expect(data.status).toBe('COMPLETED');
  }
  expect(messages[0]).toBe('Held: the workflow is paused');
  expect(new Set(messages.slice(1))).toEqual(new Set([null]));
});

test('the time of a held execution begins with it', async () => {
  const home = await makeHome();
  const workflowId = await deployPaused(home, { nodes: [done], timeoutMs: 1_000 });
  const own = await home.execute(workflowId);
  const parent = await home.execute(await home.deploy({ nodes: [control('call', 'runWorkflow', { workflowId })] }));
  const [child] = await children(home, parent);
  const accepted = await read(home, own);
  await pass(home, 1_200);
  await resume(home, workflowId);
  for (const id of [own, child.id, parent]) expect((await home.ended(id)).status).toBe('COMPLETED');
  const { startedAt } = await read(home, own);
  expect(Date.parse(startedAt) - Date.parse(accepted.startedAt)).toBeGreaterThanOrEqual(1_200);
});

test('a held sub-workflow: its parent waits at the step, and continues with it', async () => {
  const home = await makeHome();
  const workflowId = await deployPaused(home, { slug: 'child', nodes: [done], maxConcurrent: 1 });
  const call = control('call', 'runWorkflow', { workflowId });
  const begin = control('begin', 'runWorkflow', { workflowId, wait: false });
  const parent = await home.execute(await home.deploy({ nodes: [begin, call], edges: chain('begin', 'call') }));
  await home.until(parent, (now) => statuses(now).call === 'RUNNING');
  const { childExecutions } = await home.read(parent, 'childExecutions');
  expect(childExecutions).toHaveLength(2);
  for (const { id } of childExecutions) expect(await read(home, id)).toMatchObject(PAUSED);
  await resume(home, workflowId);
  expect(await home.ended(parent)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
  for (const { id } of childExecutions) expect((await home.ended(id)).status).toBe('COMPLETED');
});

test('cancelling a parent cancels the held execution that it waits for; cancelling that one fails the step', async () => {
  const home = await makeHome();
  const workflowId = await deployPaused(home, { nodes: [done] });
  const calling = await home.deploy({ nodes: [control('call', 'runWorkflow', { workflowId })] });
  const [one, other] = [await home.execute(calling), await home.execute(calling)];
  const [[ofOne], [ofOther]] = [await children(home, one), await children(home, other)];
  const cancelled = await home.api('POST', `/api/executions/${one}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'CANCELLED' });
  expect(await home.ended(ofOne.id)).toMatchObject({ status: 'CANCELLED' });
  const child = await home.api('POST', `/api/executions/${ofOther.id}/cancel`);
  expect(child.body).toMatchObject({ status: 'CANCELLED' });
  expect((await home.ended(other)).statusMessage).toContain('CANCELLED');
  expect((await resume(home, workflowId)).body.heldExecutions).toBe(0);
});

test('the reconciler completes a resume whose process died before its starts, also for a child', async () => {
  const home = await makeHome();
  const paused = () => deployPaused(home, { nodes: [done] });
  const [unheard, unstarted, untold] = [await paused(), await paused(), await paused()];
  const heldUnheard = await home.execute(unheard);
  const heldUnstarted = await home.execute(unstarted);
  const parent = await home.execute(
    await home.deploy({ nodes: [control('call', 'runWorkflow', { workflowId: untold })] }),
  );
  const [child] = await children(home, parent);
  const unpause = (tx: Pick<Database, 'workflow'>, id: string) =>
    tx.workflow.update({ where: { id }, data: { isPaused: false } });
  await unpause(stackDatabase(), unheard);
  // Releases the rows in one transaction without notifying Temporal, before the reconciler can.
  for (const [workflowId, executionId] of [
    [unstarted, heldUnstarted],
    [untold, child.id],
  ]) {
    await stackDatabase().$transaction(async (tx) => {
      await unpause(tx, workflowId);
      const released = await releaseHeld(tx as Database, home.workspaceId, workflowId, 1);
      expect(released).toMatchObject([{ executionId }]);
    }, PATIENT);
  }
  for (const id of [heldUnheard, heldUnstarted, child.id, parent]) {
    expect((await home.ended(id)).status).toBe('COMPLETED');
  }
});

test('deactivated, a workflow takes no starts; its held executions run when they are released', async () => {
  const home = await makeHome();
  const workflowId = await deployPaused(home, { slug: 'w', nodes: [done] });
  const id = await home.execute(workflowId);
  await home.deploy({ slug: 'w', nodes: [done], isActive: false });
  expect((await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} })).status).toBe(400);
  await resume(home, workflowId);
  expect((await home.ended(id)).status).toBe('COMPLETED');
});

const clock = async (workflowId: string) => (await stackTemporal()).schedule.getHandle(`schedule-${workflowId}`);

test('the schedule of a paused workflow stops, and starts again with it', async () => {
  const home = await makeHome();
  const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 3_600_000 } } as const;
  const workflowId = await home.deploy({ trigger, nodes: [done] });
  const next = async () =>
    (await home.api('GET', `/api/workflows/${workflowId}?expansion=nextScheduledExecution`)).body;
  const known = await next();
  expect(known.nextScheduledExecution).toMatch(/:00:00\.000Z$/);
  await pause(home, workflowId);
  expect((await next()).nextScheduledExecution).toBeNull();
  await expect((await clock(workflowId)).describe()).rejects.toThrow(/not found/i);
  await resume(home, workflowId);
  expect((await next()).nextScheduledExecution).toMatch(/:00:00\.000Z$/);
  await pause(home, workflowId);
});

test('a time of the clock at a limit is held under its schedule, and runs when there is room', async () => {
  const home = await makeHome();
  const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 1_000, overlap: 'allowAll' } } as const;
  const graph = { slug: 'w', nodes: [question('ask')], maxConcurrent: 1 };
  const workflowId = await home.deploy({ ...graph, trigger });
  const list = async (filter: string) =>
    (await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId},${filter}`)).body;
  await poll(async () => (await list('held:true')).length, PATIENCE).toBeGreaterThan(0);
  await poll(async () => (await list('status:NEEDS_INPUT')).length, PATIENCE).toBe(1);
  await home.deploy({ ...graph, trigger, isActive: false });
  const [running] = await list('status:NEEDS_INPUT');
  const held = (await list('held:true')).map(({ id }: { id: string }) => id);
  for (const id of [running.id, ...held.toReversed()]) {
    await home.asked(id, 'ask');
    expect(await list('status:NEEDS_INPUT')).toEqual([{ id }]);
    await home.submit(id, 'ask', { answer: 'x' });
    expect((await home.ended(id)).status).toBe('COMPLETED');
  }
});

test('a paused poll does not look; resumed, it finds the new items', async () => {
  const home = await makeHome();
  const list = [{ id: 1 }];
  const { url, calls } = await loopback((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  const config = { appId: 'http', triggerId: 'poll', inputs: { url }, everyMs: 1_000 };
  const show = action('show', 'core.transform', { value: '{{ trigger.item.id }}' });
  const workflowId = await home.deploy({ trigger: { id: 'trigger', type: 'poll', config }, nodes: [show] });
  const stored = async () => (await home.api('GET', `/api/workflows/${workflowId}?expansion=pollStorage`)).body;
  await poll(stored, PATIENCE).toMatchObject({ pollStorage: { seenKeys: 1 } });
  await pause(home, workflowId);
  await expect((await clock(workflowId)).describe()).rejects.toThrow(/not found/i);
  const looked = (await stackTemporal()).workflow.execute('runPoll', {
    workflowId: `poll-${workflowId}`,
    taskQueue: 'perdure',
    args: [{ workspaceId: home.workspaceId, workflowId }],
  });
  expect(await looked).toBe('STOPPED 0');
  const seen = calls.length;
  list.push({ id: 2 }, { id: 3 });
  await resume(home, workflowId);
  const outputs = async () => {
    const path = `/api/executions?filterBy=workflowId:${workflowId},status:COMPLETED&expansion=output`;
    return (await home.api('GET', path)).body.map(({ output }: { output: number }) => output).sort();
  };
  await poll(outputs, PATIENCE).toEqual([2, 3]);
  expect(calls.length).toBeGreaterThan(seen);
  await pause(home, workflowId);
});
