import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action } from '../setup/workspace/graph.ts';
import { type OwnApp, ownApp } from '../setup/workspace/ownWorker.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const { stack, home } = await ownHome();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Its activity hangs in the first attempt, and prints that it has begun. */
const SCRIPT = `
import { NativeConnection, Worker } from '@temporalio/worker';
import { heartbeat } from '@temporalio/activity';
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS });
const quick_beats = async ({ call }) => {
  console.log('begun ' + call.attempt);
  for (; call.attempt === 1; await new Promise((go) => setTimeout(go, 100))) heartbeat();
  return 'after ' + call.attempt;
};
const worker = await Worker.create({ connection, taskQueue: process.env.QUEUE, activities: { quick_beats } });
await worker.run();
`;

function separateWorker({ taskQueue }: OwnApp): { child: ChildProcess; begun: Promise<unknown> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TEMPORAL_ADDRESS: stack.temporalAddress, QUEUE: taskQueue },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return { child, begun: once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data') };
}

function step({ slug }: OwnApp, actionId: string) {
  const retry = { maximumAttempts: 2, initialIntervalMs: 10 };
  return { name: 'On a worker', nodes: [action('a', `${slug}.${actionId}`, {}, { retry })] };
}

const first = (execution: Loose) => execution.executionPath[0];

test('a worker of the customer that is killed counts as an attempt; another one continues', async () => {
  const app = await ownApp(home);
  const { child, begun } = separateWorker(app);
  const id = await home.execute(await home.deploy(step(app, 'quick_beats')));
  await begun;
  child.kill('SIGKILL');
  separateWorker(app);
  const ended = await home.ended(id);
  expect(first(ended)).toMatchObject({ status: 'COMPLETED', attempt: 2, output: 'after 2' });
  expect(first(ended).attempts[0].error.code).toBe('WORKER_LOST');
}, 120_000);
