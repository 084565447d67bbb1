// test: long
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Client, ScheduleNotFoundError } from '@temporalio/client';
import type { TriggerNode } from '../../domain/workflow/definition.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { sharedKill } from '../setup/stack/sharedKill.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action } from '../setup/workspace/graph.ts';

const LONG = { timeout: 60_000, interval: 300 };

const folder = await mkdtemp(join(tmpdir(), 'perdure-files-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { stack, home } = await ownHome({ environment: { FILES_ROOT: folder } });
const testOfKill = sharedKill(stack);

const eachSecond: TriggerNode = { id: 'trigger', type: 'schedule', config: { everyMs: 1_000, overlap: 'allowAll' } };
const ofFiles: TriggerNode = {
  id: 'trigger',
  type: 'poll',
  config: { appId: 'files', triggerId: 'changed', everyMs: 1_000, startWith: 'all' },
};

interface Started {
  status: string;
  output: { scheduledAt: string; item: { path: string } };
}

async function started(workflowId: string): Promise<Started[]> {
  const path = `/api/executions?filterBy=workflowId:${workflowId}&expansion=status,output&limit=1000`;
  return (await home.api('GET', path)).body;
}

async function completed(workflowId: string): Promise<Started[]> {
  return (await started(workflowId)).filter(({ status }) => status === 'COMPLETED');
}

testOfKill('a schedule and a poll continue after a kill: nothing is lost or duplicated', async ({ kill }) => {
  const shows = [action('show', 'core.transform', { value: '{{ trigger }}' })];
  await writeFile(join(folder, 'a.txt'), 'a');
  const scheduled = { slug: 'scheduled', trigger: eachSecond, nodes: shows };
  const polled = await home.deploy({ slug: 'polled', trigger: ofFiles, nodes: shows });
  const workflowId = await home.deploy(scheduled);
  await poll(async () => (await completed(workflowId)).length, LONG).toBeGreaterThanOrEqual(2);
  await poll(async () => (await completed(polled)).length, LONG).toBe(1);

  await kill(() => writeFile(join(folder, 'b.txt'), 'b'));
  const before = (await completed(workflowId)).length;
  await poll(async () => (await completed(workflowId)).length, LONG).toBeGreaterThan(before + 2);
  await poll(async () => (await completed(polled)).length, LONG).toBe(2);
  const paths = (await started(polled)).map(({ output }) => output.item.path);
  expect(paths.toSorted()).toEqual(['a.txt', 'b.txt']);

  // The upsert is accepted while Temporal is away, and applied when it is back.
  const away = stack.holdTemporalDown(4_000);
  await home.deploy({ ...scheduled, isActive: false });
  await away;
  const connection = await connectionTo(stack.temporalAddress);
  try {
    const schedule = new Client({ connection }).schedule.getHandle(`schedule-${workflowId}`);
    const isGone = () =>
      schedule.describe().then(
        () => false,
        (error: unknown) => error instanceof ScheduleNotFoundError,
      );
    await poll(isGone, LONG).toBe(true);
  } finally {
    await connection.close();
  }

  // Executions accepted around the kills have started, one for each scheduled time.
  await poll(async () => (await started(workflowId)).filter(({ status }) => status !== 'COMPLETED'), LONG).toEqual([]);
  const times = (await started(workflowId)).map(({ output }) => output.scheduledAt);
  expect(new Set(times).size).toBe(times.length);
});

testOfKill(
  'killed while executions fail, each failure starts its error workflow once',
  async ({ othersStand, kill }) => {
    const errorWorkflow = await home.deploy({
      nodes: [action('show', 'core.transform', { value: '{{ {"item": {"path": trigger.execution.id}} }}' })],
    });
    const failing = { nodes: [action('bad', 'testing.fail')], onFailureWorkflowId: errorWorkflow };
    const workflowId = await home.deploy(failing);
    await othersStand();
    const accepted: string[] = [];
    const starts = Array.from({ length: 40 }, async () => {
      // The kill may interrupt the response although the start exists.
      const id = await home.execute(workflowId).catch(() => undefined);
      if (id !== undefined) accepted.push(id);
    });
    const ended = async () => (await started(workflowId)).filter(({ status }) => status === 'FAILED');
    await poll(async () => (await ended()).length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    await kill();
    await Promise.all(starts);
    await poll(async () => (await started(workflowId)).filter(({ status }) => status !== 'FAILED'), LONG).toEqual([]);
    const list = await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}&limit=1000`);
    const failed: string[] = list.body.map(({ id }: { id: string }) => id);
    expect(failed).toEqual(expect.arrayContaining(accepted));

    const handlings = async () => {
      const path = `/api/executions?filterBy=workflowId:${workflowId}&expansion=failureHandling&limit=1000`;
      const { body } = await home.api('GET', path);
      return body.map((each: { failureHandling: { status: string } | null }) => each.failureHandling?.status);
    };
    await poll(async () => (await handlings()).every((status: string) => status === 'STARTED'), LONG).toBe(true);
    await poll(async () => (await completed(errorWorkflow)).length, LONG).toBe(failed.length);
    expect(await started(errorWorkflow)).toHaveLength(failed.length);
    const handled = (await started(errorWorkflow)).map(({ output }) => output.item.path);
    expect(handled.toSorted()).toEqual(failed.toSorted());
  },
);

test('a look that a graceful stop interrupts is tried again, and is no failure of the app', async () => {
  // The first poll hangs while the worker is stopped.
  const server = await loopback((_, response, index) => {
    if (index > 0) response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id": 1}]');
  });
  const config = {
    ...{ appId: 'http', triggerId: 'poll', inputs: { url: server.url }, startWith: 'all' as const },
    // The longest interval, so that a poll after the stop is not a scheduled one.
    everyMs: 366 * 86_400_000,
  };
  const workflowId = await home.deploy({
    trigger: { id: 'trigger', type: 'poll', config },
    nodes: [action('show', 'core.transform', { value: '{{ trigger }}' })],
  });
  const asked = `interrupted-${workflowId}`;
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const connection = await connectionTo(stack.temporalAddress);
    return work(new Client({ connection })).finally(() => connection.close());
  };
  const args = [{ workspaceId: home.workspaceId, workflowId }];
  await withClient((client) => client.workflow.start('runPoll', { workflowId: asked, taskQueue: 'perdure', args }));
  await poll(() => server.calls.length, LONG).toBe(1);

  expect((await stack.stop()).exitCode).toBe(0);
  expect(server.calls).toHaveLength(1);
  await stack.startAgain();
  expect(await withClient((client) => client.workflow.getHandle(asked).result())).toBe('POLLED 1');
  expect(server.calls).toHaveLength(2);
  await poll(async () => (await completed(workflowId)).length, LONG).toBe(1);
  const shown = await home.api('GET', `/api/workflows/${workflowId}?expansion=triggerStatus`);
  expect(shown.body.triggerStatus.lastError ?? null).toBeNull();
});
