import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { bulk } from '../../api/executions/bulk.ts';
import { bulkCancelExecutions } from '../../api/operations/executions/endOperations.ts';
import type { Services } from '../../api/services.ts';
import { readConfig } from '../../config.ts';
import type { JsonObject } from '../../domain/json.ts';
import { createTemporalEngine } from '../../engine/temporal/temporalEngine.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, manual, question } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const remote = action('a', 'testing.succeed', { output: 'a' });
const guarded = (condition: boolean) => action('b', 'core.assert', { condition });

test('retries by filter: counts first, retries each once, and never completed ones', async () => {
  const home = await makeHome();
  const graph = (slug: string, holds: boolean) => ({ slug, nodes: [remote, guarded(holds)], edges: chain('a', 'b') });
  const workflowId = await home.deploy(graph('w', false));
  const failed: string[] = [];
  for (let count = 0; count < 3; count += 1) failed.push((await home.ended(await home.execute(workflowId))).id);
  const other = (await home.run({ nodes: [guarded(false)] })).id;
  await home.deploy(graph('w', true));
  await home.ended(await home.execute(workflowId));

  const retry = (body: object) => home.api('POST', '/api/executions/bulk/retry', { body });
  const filterBy = `workflowId:${workflowId}`;
  const counted = await retry({ filterBy, dryRun: true });
  expect([counted.status, counted.body]).toEqual([200, { count: 3 }]);
  const both = await Promise.all([1, 2].map(() => retry({ filterBy, version: 'latest' })));
  for (const { status, body } of both) expect([status, body.failed]).toEqual([200, []]);
  const after = await home.api('GET', `/api/executions?filterBy=${filterBy}&expansion=retryOf`);
  const retries = after.body.filter((each: { retryOf: object | null }) => each.retryOf);
  expect(retries.map((each: { retryOf: { id: string } }) => each.retryOf.id).sort()).toEqual(failed.sort());
  for (const { id } of retries) {
    const { status, executionPath } = await home.ended(id);
    expect([status, executionPath[0].reused]).toEqual(['COMPLETED', true]);
  }
  expect((await retry({ filterBy })).body).toEqual({ matched: 3, accepted: 0, failed: [], skipped: 3, remaining: 0 });
  expect((await home.read(other, 'childExecutions')).status).toBe('FAILED');
});

test('reruns failed items of loops or whole loops, as requested', async () => {
  const home = await makeHome();
  const { body: bad } = await home.api('POST', '/api/variables', { body: { name: 'bad', value: 1 } });
  const isBad = (value: number) => home.api('PATCH', `/api/variables/${bad.id}`, { body: { value } });
  const inside = (id: string, what: string, inputs: JsonObject) => action(id, what, inputs, { parentId: 'loop' });
  const retried = async (more: object) => {
    await isBad(1);
    const workflowId = await home.deploy({
      nodes: [
        control('loop', 'forEach', { items: [0, 1, 2], onItemError: 'continue' }),
        inside('work', 'testing.succeed', { output: '{{ loop.item }}' }),
        inside('check', 'core.assert', { condition: '{{ loop.item != variables.bad }}' }),
        action('behind', 'core.assert', { condition: '{{ variables.bad == 9 }}' }),
      ],
      edges: edges('work>check', 'loop>behind'),
    });
    for (let count = 0; count < 2; count += 1) {
      expect((await home.ended(await home.execute(workflowId))).status).toBe('FAILED');
    }
    await isBad(9);
    const filterBy = `workflowId:${workflowId}`;
    const answer = await home.api('POST', '/api/executions/bulk/retry', { body: { filterBy, ...more } });
    expect(answer).toMatchObject({ status: 200, body: { matched: 2, accepted: 2, failed: [] } });
    const { body } = await home.api('GET', `/api/executions?filterBy=${filterBy}&expansion=retryOf`);
    const retries = body.filter(({ retryOf }: { retryOf: object | null }) => retryOf);
    const all = await Promise.all(retries.map(({ id }: { id: string }) => home.ended(id)));
    return all.map((each) => {
      const { output, iterations, reused } = stepOf(each, 'loop');
      const failed = output.filter((item: { error?: object } | null) => item?.error !== undefined).length;
      return { status: each.status, failed, kept: reused === true ? 'whole' : (iterations.reused ?? 0) };
    });
  };
  const twice = (each: object) => [each, each];
  expect(await retried({})).toEqual(twice({ status: 'COMPLETED', failed: 1, kept: 'whole' }));
  expect(await retried({ failedItems: 'again' })).toEqual(twice({ status: 'COMPLETED', failed: 0, kept: 2 }));
  // Either none of the loop runs again, or all of it.
  expect(await retried({ loops: 'again' })).toEqual(twice({ status: 'COMPLETED', failed: 1, kept: 'whole' }));
  const all = await retried({ loops: 'again', failedItems: 'again' });
  expect(all).toEqual(twice({ status: 'COMPLETED', failed: 0, kept: 0 }));
});

test('completed ones are retried for the items that failed in them, if the filter names their status', async () => {
  const home = await makeHome();
  const { body: bad } = await home.api('POST', '/api/variables', { body: { name: 'bad', value: 1 } });
  const isBad = (value: number) => home.api('PATCH', `/api/variables/${bad.id}`, { body: { value } });
  const workflowId = await home.deploy({
    nodes: [
      control('loop', 'forEach', { items: [0, 1, 2], onItemError: 'continue' }),
      action('check', 'core.assert', { condition: '{{ loop.item != variables.bad }}' }, { parentId: 'loop' }),
    ],
  });
  const ended = async () => (await home.ended(await home.execute(workflowId))) as { id: string; status: string };
  const before = [await ended(), await ended()];
  await isBad(9);
  before.push(await ended());
  expect(before.map(({ status }) => status)).toEqual(Array(3).fill('COMPLETED'));
  const retry = async (filterBy: string, more: object = {}) =>
    (await home.api('POST', '/api/executions/bulk/retry', { body: { filterBy, ...more } })).body;
  const [all, completed] = [`workflowId:${workflowId}`, `workflowId:${workflowId},status:COMPLETED`];
  const again = { failedItems: 'again' };
  expect(await retry(all, { ...again, dryRun: true })).toEqual({ count: 0, withFailedItems: 0 });
  expect(await retry(completed, { dryRun: true })).toEqual({ count: 0 });
  expect(await retry(completed, { ...again, dryRun: true })).toEqual({ count: 2, withFailedItems: 2 });
  expect(await retry(completed, again)).toEqual({ matched: 2, accepted: 2, failed: [], skipped: 0, remaining: 0 });
  const { body } = await home.api('GET', `/api/executions?filterBy=${all}&expansion=retryOf`);
  const retries = body.filter(({ retryOf }: { retryOf: object | null }) => retryOf);
  const originals = retries.map(({ retryOf }: { retryOf: { id: string } }) => retryOf.id).sort();
  expect(originals).toEqual([before[0]?.id, before[1]?.id].sort());
  for (const { id } of retries) {
    const { output, iterations } = stepOf(await home.ended(id), 'loop');
    expect(output.filter((item: { error?: object } | null) => item?.error !== undefined)).toEqual([]);
    expect(iterations).toMatchObject({ failed: 0, reused: 2 });
  }
  expect(await retry(completed, { ...again, dryRun: true })).toEqual({ count: 0, withFailedItems: 0 });
});

test('retries named executions repeatedly, and completed ones for their failed items', async () => {
  const [home, stranger] = [await makeHome(), await makeHome()];
  const workflowId = await home.deploy({
    trigger: manual({ key: 'holds', label: 'holds', type: 'boolean', required: true }),
    nodes: [
      control('loop', 'forEach', { items: [0, 1], onItemError: 'continue' }),
      action('check', 'core.assert', { condition: '{{ loop.item == 0 }}' }, { parentId: 'loop' }),
      action('behind', 'core.assert', { condition: '{{ trigger.holds }}' }),
    ],
    edges: edges('trigger>loop', 'loop>behind'),
  });
  const ended = async (holds: boolean) => (await home.ended(await home.execute(workflowId, { holds }))).id as string;
  const [completed, failed, other] = [await ended(true), await ended(false), await ended(false)];
  const { id: foreign } = await stranger.run({ nodes: [guarded(false)] });
  const executionIds = [completed, failed, foreign, randomUUID()];
  const retry = async (more: object = {}) =>
    (await home.api('POST', '/api/executions/bulk/retry', { body: { executionIds, ...more } })).body;
  const again = { failedItems: 'again' };
  expect(await retry({ dryRun: true })).toEqual({ count: 1 });
  expect(await retry({ ...again, dryRun: true })).toEqual({ count: 2, withFailedItems: 2 });
  expect(await retry()).toEqual({ matched: 1, accepted: 1, failed: [], skipped: 0, remaining: 0 });
  const { body: begun } = await home.api('GET', `/api/executions?filterBy=retryOfId:${failed}`);
  expect((await home.ended(begun[0].id)).status).toBe('FAILED');
  expect(await retry(again)).toEqual({ matched: 2, accepted: 2, failed: [], skipped: 0, remaining: 0 });
  const retriesOf = async (id: string) =>
    (await home.api('GET', `/api/executions?filterBy=retryOfId:${id}`)).body.length;
  expect([await retriesOf(completed), await retriesOf(failed), await retriesOf(other)]).toEqual([1, 2, 0]);
  expect((await stranger.api('GET', `/api/executions?filterBy=retryOfId:${foreign}`)).body).toEqual([]);
});

test('cancels only the named open executions, once per key', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [question('ask', {})] });
  const [one, other] = [await home.execute(workflowId), await home.execute(workflowId)];
  for (const id of [one, other]) await home.asked(id, 'ask');
  const cancel = () =>
    home.api('POST', '/api/executions/bulk/cancel', {
      body: { executionIds: [one], reason: 'Not needed' },
      headers: { 'Idempotency-Key': 'named' },
    });
  expect((await cancel()).body).toEqual({ matched: 1, accepted: 1, failed: [], remaining: 0 });
  expect(await home.ended(one)).toMatchObject({ status: 'CANCELLED', statusMessage: 'Not needed' });
  expect((await cancel()).body).toEqual({ matched: 1, accepted: 1, failed: [], remaining: 0 });
  expect((await home.read(other, 'status')).status).toBe('NEEDS_INPUT');
});

test('finds failed items in loops inside a loop that a retry reused as a whole', async () => {
  const home = await makeHome();
  const { body: bad } = await home.api('POST', '/api/variables', { body: { name: 'bad', value: 1 } });
  const isBad = (value: number) => home.api('PATCH', `/api/variables/${bad.id}`, { body: { value } });
  const workflowId = await home.deploy({
    nodes: [
      control('outer', 'forEach', { items: [0, 1] }),
      control('loop', 'forEach', { items: [0, 1, 2], onItemError: 'continue' }, { parentId: 'outer' }),
      action('check', 'core.assert', { condition: '{{ loop.item != variables.bad }}' }, { parentId: 'loop' }),
      action('behind', 'core.assert', { condition: '{{ variables.bad != 1 }}' }),
    ],
    edges: edges('outer>behind'),
  });
  const { id, status } = await home.ended(await home.execute(workflowId));
  expect(status).toBe('FAILED');
  await isBad(2);
  const { body } = await home.api('POST', `/api/executions/${id}/retry`);
  const kept = await home.ended(body.executionId);
  expect([kept.status, stepOf(kept, 'outer').reused]).toEqual(['COMPLETED', true]);
  await isBad(9);
  const retry = { filterBy: `workflowId:${workflowId},status:COMPLETED`, failedItems: 'again' };
  const bulkRetry = (more: object = {}) =>
    home.api('POST', '/api/executions/bulk/retry', { body: { ...retry, ...more } });
  expect((await bulkRetry({ dryRun: true })).body).toEqual({ count: 1, withFailedItems: 1 });
  expect((await bulkRetry()).body).toEqual({ matched: 1, accepted: 1, failed: [], skipped: 0, remaining: 0 });
  const { body: retries } = await home.api('GET', `/api/executions?filterBy=retryOfId:${kept.id}`);
  const last = await home.ended(retries[0].id);
  const loops = last.executionPath.filter(({ nodeId }: { nodeId: string }) => nodeId === 'loop');
  const failed = loops.map(({ iterations }: { iterations: { failed: number } }) => iterations.failed);
  expect([last.status, failed]).toEqual(['COMPLETED', [0, 0]]);
  expect((await bulkRetry({ dryRun: true })).body).toEqual({ count: 0, withFailedItems: 0 });
});

test('rejected ones are listed, and the others continue', async () => {
  const home = await makeHome();
  const inactive = { slug: 'w', nodes: [guarded(false)] };
  const refused = (await home.ended(await home.execute(await home.deploy(inactive)))).id;
  await home.run({ nodes: [guarded(false)] });
  await home.deploy({ ...inactive, isActive: false });
  const { body } = await home.api('POST', '/api/executions/bulk/retry', { body: { all: true } });
  expect(body).toEqual({
    matched: 2,
    accepted: 1,
    failed: [{ executionId: refused, code: 'WORKFLOW_NOT_EXECUTABLE', message: 'The workflow is not active' }],
    skipped: 0,
    remaining: 0,
  });
});

test('cancels by filter: counts first, and leaves ended executions unchanged', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [question('ask')] });
  const open: string[] = [];
  for (let count = 0; count < 3; count += 1) open.push(await home.execute(workflowId));
  const other = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  const completed = (await home.run({ nodes: [action('a', 'core.set', { values: { a: 1 } })] })).id;
  for (const executionId of [...open, other]) await home.asked(executionId, 'ask');

  const cancel = (body: object) => home.api('POST', '/api/executions/bulk/cancel', { body });
  const filterBy = `workflowId:${workflowId}`;
  expect((await cancel({ filterBy, dryRun: true })).body).toEqual({ count: 3 });
  expect((await cancel({ all: true, dryRun: true })).body).toEqual({ count: 4 });
  const answer = await cancel({ filterBy, reason: 'The import was wrong' });
  expect(answer.body).toEqual({ matched: 3, accepted: 3, failed: [], remaining: 0 });
  for (const executionId of open) {
    const { status, statusMessage, pendingInput } = await home.ended(executionId);
    expect([status, statusMessage, pendingInput]).toEqual(['CANCELLED', 'The import was wrong', []]);
  }
  expect((await cancel({ filterBy })).body).toEqual({ matched: 0, accepted: 0, failed: [], remaining: 0 });
  expect((await home.read(other)).status).toBe('NEEDS_INPUT');
  expect((await cancel({ all: true })).body).toMatchObject({ matched: 1, accepted: 1 });
  expect(await home.ended(other)).toMatchObject({ status: 'CANCELLED', statusMessage: 'Cancelled' });
  expect((await home.read(completed)).status).toBe('COMPLETED');
});

test('terminates by filter before it answers, even if an earlier requested end did not happen', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [question('ask')] });
  const open: string[] = [];
  for (let count = 0; count < 3; count += 1) open.push(await home.execute(workflowId));
  const [first = ''] = open;
  const other = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  for (const executionId of [...open, other]) await home.asked(executionId, 'ask');
  // Simulates a process that died before it sent the cancellation to the engine.
  await stackDatabase().$executeRaw`
    UPDATE executions SET cancel_reason = 'No more', end_requested = 'cancel', end_requested_at = now() WHERE id = ${first}::uuid`;

  const stop = (body: object) => home.api('POST', '/api/executions/bulk/cancel', { body });
  const filterBy = `workflowId:${workflowId}`;
  expect((await stop({ filterBy, terminate: true, dryRun: true })).body).toEqual({ count: 3 });
  expect((await home.read(first)).status).toBe('NEEDS_INPUT');
  const answer = await stop({ filterBy, terminate: true, reason: 'Stuck' });
  expect(answer.body).toEqual({ matched: 3, accepted: 3, failed: [], remaining: 0 });
  const { workflow } = await stackTemporal();
  for (const executionId of open) {
    const reason = executionId === first ? 'No more' : 'Stuck';
    expect(await home.read(executionId)).toMatchObject({
      status: 'CANCELLED',
      statusMessage: reason,
      pendingInput: [],
    });
    expect((await workflow.getHandle(executionId).describe()).status.name).toBe('TERMINATED');
  }
  expect((await stop({ filterBy, terminate: true })).body).toMatchObject({ matched: 0, accepted: 0 });
  expect((await home.read(other)).status).toBe('NEEDS_INPUT');
  expect((await stop({ all: true, terminate: true })).body).toMatchObject({ matched: 1, accepted: 1 });
  expect(await home.read(other)).toMatchObject({ status: 'CANCELLED', statusMessage: 'Terminated' });
});

test('while the engine is away, accepts all and calls it only for the first', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [question('ask')] });
  const open: string[] = [];
  for (let count = 0; count < 24; count += 1) open.push(await home.execute(workflowId));
  for (const executionId of open) await home.asked(executionId, 'ask');
  const config = readConfig({ TEMPORAL_CALL_TIMEOUT_MS: '500' });
  // Nothing listens at this address. Without interceptors no call is retried.
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const engine = createTemporalEngine({ client: new Client({ connection }), config, eagerStart: false });
  const tries = jest.spyOn(engine, 'cancel');
  const services = { database: stackDatabase(), config, engine } as Services;
  const caller = { workspaceId: home.workspaceId };
  const request = { caller, services, body: { all: true, reason: 'Wrong' } };
  const answer = await bulkCancelExecutions(request as Parameters<typeof bulkCancelExecutions>[0]);
  await connection.close();
  expect(answer).toEqual({ matched: 24, accepted: 24, failed: [], remaining: 0 });
  expect(tries.mock.calls.length).toBeLessThan(24);
  for (const executionId of open) {
    expect(await home.ended(executionId)).toMatchObject({ status: 'CANCELLED', statusMessage: 'Wrong' });
  }
});

test.each(['retry', 'cancel'])('bulk %s: rejects an empty or invalid filter', async (what) => {
  const home = await makeHome();
  const call = (body: object) => home.api('POST', `/api/executions/bulk/${what}`, { body });
  for (const body of [
    {},
    { filterBy: '' },
    { filterBy: ' , ' },
    { filterBy: 'source:SDK', all: true },
    { all: false },
  ]) {
    const answer = await call({ ...body, dryRun: true });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'filterBy']);
  }
  const wrong = await call({ filterBy: 'workflowId:x,none:1', includeType: 'none' });
  expect(wrong.body.errors.map(({ path }: { path: string }) => path)).toEqual(['filterBy', 'filterBy', 'includeType']);
  expect((await call({ filterBy: `workflowId:${randomUUID()}` })).body.matched).toBe(0);
});

test('handles at most BULK_EXECUTIONS_MAX per call, earliest starts first', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [guarded(false)] });
  const failed: string[] = [];
  for (let count = 0; count < 3; count += 1) failed.push((await home.ended(await home.execute(workflowId))).id);
  const services = { database: stackDatabase(), config: { BULK_EXECUTIONS_MAX: 2 } } as Services;
  const done: string[] = [];
  const act = async (executionId: string) => done.push(executionId);
  const viewer = { workspaceId: home.workspaceId, permissions: new Set([]), kind: 'apiKey' as const, apiKeyId: '' };
  const call = { services, viewer, target: 'failed' as const, act };
  const answer = await bulk({ ...call, filter: { all: true } });
  expect(answer).toEqual({ matched: 3, accepted: 2, failed: [], remaining: 1 });
  expect(done.sort()).toEqual(failed.slice(0, 2).sort());
});
