// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { anyPort } from '../../process/ports.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { editedBuild } from '../setup/stack/newBuild.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { type PartOfStack, startPart } from '../setup/stack/partOfStack.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, control } from '../setup/workspace/graph.ts';

// A worker is killed after it accepted sub-workflows but before Temporal received their starts. Its task queue has no
// other worker. The stack's own worker continues, and its reconciler starts executions that were never started.

const PATIENCE = { timeout: 60_000, interval: 200 };
const QUEUE = 'of-the-victim';
const SIDE_BY_SIDE = 3;

/** Hangs after the row is written, so that the moment lasts until the kill. */
const HELD = {
  file: 'activities/execution/acceptChild.js',
  from: /if \(written\)\s+return/,
  to: 'if (written) await new Promise(() => undefined);\n        if (written) return',
};

const { stack, home } = await ownHome();
const connection = await connectionTo(stack.temporalAddress);
const { workflow } = new Client({ connection });
const environment = {
  TEMPORAL_TASK_QUEUE: QUEUE,
  HTTP_ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
  // The moment may outlast several Temporal tasks, each of which counts as a lost worker.
  WORKER_LOST_TRIES: '100',
};
const WELL = { statusMessage: null, status: 'COMPLETED' };

const server = await loopback(undefined, 'file');
let there: ReturnType<typeof api>;
const parts: PartOfStack[] = [];
const parents: Record<string, { id: string; children: string[] }> = {};

afterAll(async () => {
  for (const part of parts) await part.kill();
  await connection.close();
});

async function childrenOf(executionId: string): Promise<string[]> {
  const { body } = await home.api('GET', `/api/executions?filterBy=parentExecutionId:${executionId}`);
  return body.map(({ id }: { id: string }) => id);
}

async function accepting(name: string, isLoop: boolean): Promise<void> {
  const call = action('call', 'http.request', { method: 'POST', url: `${server.url}/${name}` });
  const workflowId = await home.deploy({ nodes: [call] });
  const run = control('run', 'runWorkflow', { workflowId }, isLoop ? { parentId: 'each' } : {});
  const items = Array.from({ length: SIDE_BY_SIDE }, (_, index) => index);
  const each = control('each', 'forEach', { items, concurrency: SIDE_BY_SIDE });
  const parent = await home.deploy({ nodes: isLoop ? [each, run] : [run] });
  const { body } = await there('POST', `/api/executions/workflows/${parent}/execute`, { body: {} });
  const id = body.executionId as string;
  await poll(async () => (await childrenOf(id)).length, PATIENCE).toBe(isLoop ? SIDE_BY_SIDE : 1);
  parents[name] = { id, children: await childrenOf(id) };
}

const NAMES = {
  cancelled: false,
  terminated: false,
  cancelledLoop: true,
  terminatedLoop: true,
  goesOn: false,
} as const;

beforeAll(async () => {
  const build = await editedBuild(HELD);
  const port = await anyPort();
  const [apart, victim] = await Promise.all([
    startPart(stack, 'api', { ...environment, PORT: String(port) }),
    startPart(stack, 'worker', environment, build.dist),
  ]);
  parts.push(apart, victim);
  there = api(`http://127.0.0.1:${port}`, home.apiKey);
  await Promise.all(Object.entries(NAMES).map(([name, isLoop]) => accepting(name, isLoop)));
  await victim.kill();
  await build.remove();
  for (const { children } of Object.values(parents)) {
    for (const id of children) expect((await home.read(id)).status).toBe('PENDING');
  }
  for (const { id, children } of Object.values(parents)) {
    await expect(workflow.getHandle(id).describe()).resolves.toMatchObject({ status: { name: 'RUNNING' } });
    for (const child of children) await expect(workflow.getHandle(child).describe()).rejects.toThrow('not found');
  }
  // The parent processes a cancellation in its next task, before the region is repeated.
  const stops = { cancelled: 'cancel', cancelledLoop: 'cancel', terminated: 'terminate', terminatedLoop: 'terminate' };
  for (const [name, how] of Object.entries(stops)) {
    const { status } = await there('POST', `/api/executions/${parents[name]?.id}/${how}`);
    expect([200, 202]).toContain(status);
  }
  parts.push(await startPart(stack, 'worker', environment));
}, 300_000);

test.each(['cancelled', 'terminated', 'cancelledLoop', 'terminatedLoop'])(
  '%s: what the dead worker had accepted never runs, and nothing stays open',
  async (name) => {
    const { id, children = [] } = parents[name] ?? {};
    expect((await home.ended(String(id))).status).toBe('CANCELLED');
    expect(children).toHaveLength(name.endsWith('Loop') ? SIDE_BY_SIDE : 1);
    for (const child of children) {
      expect(await home.ended(child)).toMatchObject({ status: 'CANCELLED', executionPath: [] });
      // No late start can begin it, because its id is taken by an ended workflow.
      await poll(async () => (await workflow.getHandle(child).describe()).status.name, PATIENCE).toBe('TERMINATED');
    }
    await poll(async () => (await workflow.getHandle(String(id)).describe()).status.name, PATIENCE).not.toBe('RUNNING');
    expect(await childrenOf(String(id))).toEqual(children);
    expect(server.calls.filter(({ url }) => url === `/${name}`)).toEqual([]);
  },
);

test('an execution that was not stopped continues with the accepted sub-workflow, and runs it once', async () => {
  const { id, children = [] } = parents.goesOn ?? {};
  expect(await home.ended(String(id))).toMatchObject(WELL);
  expect(await childrenOf(String(id))).toEqual(children);
  for (const child of children) expect(await home.ended(child)).toMatchObject(WELL);
  expect(server.calls.filter(({ url }) => url === '/goesOn')).toHaveLength(1);
});
