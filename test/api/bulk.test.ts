import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bulk } from '../../api/executions/bulk.ts';
import type { Services } from '../../api/services.ts';
import { action, chain } from '../setup/graph.ts';
import { makeHome } from '../setup/home.ts';
import { stackDatabase } from '../setup/workspace.ts';

const remote = action('a', 'testing.succeed', { output: 'a' });
const guarded = (condition: boolean) => action('b', 'core.assert', { condition });

test('many are retried by a filter: counted first, each once, completed ones never', async () => {
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
  expect((await retry({ filterBy })).body).toEqual({ matched: 0, accepted: 0, failed: [], remaining: 0 });
  expect((await home.read(other, 'childExecutions')).status).toBe('FAILED');
});

test('what is refused is told, and the others go on', async () => {
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
    remaining: 0,
  });
});

test.each(['retry'])('bulk %s: a filter that is empty or wrong is refused', async (what) => {
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

test('one call does BULK_EXECUTIONS_MAX at most, those first that started first', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [guarded(false)] });
  const failed: string[] = [];
  for (let count = 0; count < 3; count += 1) failed.push((await home.ended(await home.execute(workflowId))).id);
  const services = { database: stackDatabase(), config: { BULK_EXECUTIONS_MAX: 2 } } as Services;
  const done: string[] = [];
  const act = async (executionId: string) => done.push(executionId);
  const call = { services, workspaceId: home.workspaceId, target: 'failed' as const, act };
  const answer = await bulk({ ...call, filter: { all: true } });
  expect(answer).toEqual({ matched: 3, accepted: 2, failed: [], remaining: 1 });
  expect(done.sort()).toEqual(failed.slice(0, 2).sort());
});
