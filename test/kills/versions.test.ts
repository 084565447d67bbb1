// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { expectAlert, samplesOf } from '../setup/providers/firedAlert.ts';
import { findPrometheusTool } from '../setup/providers/prometheusTools.ts';
import { type Build, newBuild } from '../setup/stack/newBuild.ts';
import { type Stack, startStack } from '../setup/stack/ownStack.ts';
import { type PartOfStack, startPart } from '../setup/stack/partOfStack.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, homeOn } from '../setup/workspace/home.ts';

const EACH = 10;
const PATIENCE = { timeout: 120_000, interval: 300 };
const RETRY = { maximumAttempts: 2, initialIntervalMs: 1_000 };

let stack: Stack;
let home: Home;
let build: Build;
/** Runs the stack's first build. */
let oldWorker: PartOfStack | undefined;

beforeAll(async () => {
  [stack, build] = await Promise.all([startStack(), newBuild()]);
  home = homeOn(stack);
});

afterAll(async () => {
  await oldWorker?.kill();
  await stack?.dispose();
  await build?.remove();
});

async function waiting(workflowId: string): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: EACH }, () => home.execute(workflowId)));
  await Promise.all(ids.map((id) => home.asked(id, 'ask')));
  return ids;
}

/** Counts this patch's markers in the histories of completed executions. */
async function marksOf(patch: string, ids: string[]): Promise<number[]> {
  const connection = await connectionTo(stack.temporalAddress);
  try {
    const { workflow } = new Client({ connection });
    const marks = async (id: string) => {
      const handle = workflow.getHandle(id);
      expect(await handle.result()).toBe('COMPLETED');
      const events = (await handle.fetchHistory()).events ?? [];
      return events.filter(({ markerRecordedEventAttributes: mark }) => {
        const data = mark?.details?.['patch-data']?.payloads?.[0]?.data;
        return (
          mark?.markerName === 'core_patch' &&
          Buffer.from(data ?? [])
            .toString()
            .includes(patch)
        );
      }).length;
    };
    return await Promise.all(ids.map(marks));
  } finally {
    await connection.close();
  }
}

test('workers of two builds side by side: executions of both end correctly', async () => {
  const far = action('far', 'testing.succeed', { output: '{{ steps.ask.output.answer }}' });
  const flaky = action('flaky', 'testing.fail', { times: 1 }, { retry: RETRY });
  const last = action('last', 'core.transform', { value: '{{ steps.far.output }}' });
  const nodes = [question('ask'), far, flaky, last];
  const workflowId = await home.deploy({ nodes, edges: chain('ask', 'far', 'flaky', 'last') });
  const begunOnOld = await waiting(workflowId);
  await stack.stop();
  await stack.startAgain(build.dist);
  oldWorker = await startPart(stack, 'worker');
  const begunOnNew = await waiting(workflowId);

  const all = [...begunOnOld, ...begunOnNew];
  for (const id of all) expect((await home.submit(id, 'ask', { answer: id })).status).toBe(200);
  for (const id of all) expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: id });

  expectAbout(await marksOf('a-new-build', begunOnOld), 'the old way').toEqual(begunOnOld.map(() => 0));
  // A worker of either build may run a first task.
  const onNew = await marksOf('a-new-build', begunOnNew);
  expect(onNew.filter((count) => count > 0).length).toBeGreaterThan(0);
}, 180_000);

test('a build that cannot replay executions fires the alert, and the previous build continues them', async () => {
  const workflowId = await home.deploy({ nodes: [question('ask')] });
  await oldWorker?.kill();
  oldWorker = undefined;
  // If this test runs alone, the stack still has its first build.
  await stack.stop();
  await stack.startAgain(build.dist);
  const begun = await waiting(workflowId);
  await stack.stop();
  // The first build lacks the branch that these executions took.
  await stack.startAgain();
  for (const id of begun) expect((await home.submit(id, 'ask', { answer: id })).status).toBe(200);
  const failures = async () => {
    const samples = samplesOf(
      await (await fetch(stack.metricsUrl)).text(),
      'temporal_workflow_task_execution_failed_total',
    );
    return samples.filter(({ series }) => series.includes('failure_reason="NonDeterminismError"'));
  };
  const count = async () => (await failures()).reduce((sum, { value }) => sum + value, 0);
  await poll(count, PATIENCE).toBeGreaterThan(0);
  const first = await failures();
  const before = await count();
  await poll(count, PATIENCE).toBeGreaterThan(before);
  const later = new Map((await failures()).map(({ series, value }) => [series, value]));
  const promtool = await findPrometheusTool('promtool');
  if (promtool !== undefined) {
    const scraped = first.map(({ series, value }) => ({ series, values: `${value} ${later.get(series)}x20` }));
    await expectAlert(promtool, { alert: 'PerdureReplayErrors', scraped, at: '5m', fires: true });
  }
  for (const id of begun) expect((await home.read(id)).status).not.toBe('FAILED');

  // The remedy of docs/runbook.md.
  await stack.stop();
  await stack.startAgain(build.dist);
  for (const id of begun) expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED' });
}, 240_000);
