// test: long
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { poll } from '../setup/jest/poll.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { sharedKill } from '../setup/stack/sharedKill.ts';
import { action } from '../setup/workspace/graph.ts';
import { type OwnApp, ownApp } from '../setup/workspace/ownWorker.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const { stack, home } = await ownHome();
const testOfKill = sharedKill(stack);
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Activities print each attempt, then run until the worker reads a line. Only `quick_beats` sends heartbeats. */
const SCRIPT = `
import { NativeConnection, Worker } from '@temporalio/worker';
import { heartbeat } from '@temporalio/activity';
const line = new Promise((go) => process.stdin.once('data', go));
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS });
async function patient({ call }) {
  console.log('call', call.attempt, call.idempotencyKey);
  await line;
  return 'after ' + call.attempt;
}
async function quick_beats(argument) {
  const beat = setInterval(heartbeat, 100);
  return patient(argument).finally(() => clearInterval(beat));
}
const worker = await Worker.create({ connection, taskQueue: process.env.QUEUE, activities: { patient, quick_beats } });
await worker.run();
`;

interface SeparateWorker {
  /** `call <attempt> <idempotency key>` of each. */
  calls: string[];
  goOn(): void;
  kill(): void;
}

function separateWorker({ taskQueue }: OwnApp): SeparateWorker {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TEMPORAL_ADDRESS: stack.temporalAddress, QUEUE: taskQueue },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const calls: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The SDK prints its warnings there too.
    if (line.startsWith('call ')) calls.push(line);
  });
  return { calls, goOn: () => child.stdin.write('go\n'), kill: () => child.kill('SIGKILL') };
}

const BEGUN = { timeout: 60_000 };
const begun = ({ calls }: SeparateWorker) => poll(() => calls.length, BEGUN).toBe(1);

async function started(actionId: string): Promise<{ app: OwnApp; id: string }> {
  const app = await ownApp(home);
  const retry = { maximumAttempts: 3, initialIntervalMs: 10 };
  const graph = { name: 'On a worker', nodes: [action('a', `${app.slug}.${actionId}`, {}, { retry })] };
  return { app, id: await home.execute(await home.deploy(graph)) };
}

const first = (execution: Loose) => execution.executionPath[0];

testOfKill('an activity survives a kill of everything else, and runs once', async ({ kill }) => {
  const { app, id } = await started('patient');
  const worker = separateWorker(app);
  await begun(worker);
  await kill();
  worker.goOn();
  expect(first(await home.ended(id))).toMatchObject({ status: 'COMPLETED', attempt: 1, output: 'after 1' });
  expect(worker.calls).toHaveLength(1);
});

testOfKill('a step continues if its worker and everything else are killed together', async ({ kill }) => {
  const { app, id } = await started('quick_beats');
  const worker = separateWorker(app);
  await begun(worker);
  await kill(async () => worker.kill());
  separateWorker(app).goOn();
  const ended = await home.ended(id);
  expect(first(ended)).toMatchObject({ status: 'COMPLETED', output: 'after 2' });
  expect(first(ended).attempts[0].error.code).toBe('WORKER_LOST');
});

testOfKill('an activity whose result cannot be reported runs again under the same key', async ({ kill }) => {
  const { app, id } = await started('quick_beats');
  const worker = separateWorker(app);
  await begun(worker);
  await kill(async () => {
    worker.goOn();
    // Longer than the SDK tries to report a result.
    await new Promise((go) => setTimeout(go, 15_000));
  });
  const ended = await home.ended(id);
  expect(first(ended)).toMatchObject({ status: 'COMPLETED', attempt: 2, output: 'after 2' });
  expect(first(ended).attempts[0].error.code).toBe('WORKER_LOST');
  expect(worker.calls).toHaveLength(2);
  expect(new Set(worker.calls.map((call) => call.split(' ')[2])).size).toBe(1);
});

testOfKill('a step that waits for a worker continues after a kill of everything', async ({ kill }) => {
  const { app, id } = await started('patient');
  await home.until(id, ({ status }) => status === 'WAITING');
  await kill();
  expect(await home.read(id)).toMatchObject({ status: 'WAITING', statusMessage: `no worker polls ${app.taskQueue}` });
  separateWorker(app).goOn();
  expect(first(await home.ended(id))).toMatchObject({ status: 'COMPLETED', attempt: 1 });
});

test('each kill of the customer’s worker counts as an attempt, under the same key', async () => {
  const { app, id } = await started('quick_beats');
  const calls: string[] = [];
  for (let killed = 0; killed < 2; killed += 1) {
    const worker = separateWorker(app);
    await begun(worker);
    calls.push(...worker.calls);
    worker.kill();
  }
  const last = separateWorker(app);
  last.goOn();
  const ended = await home.ended(id);
  expect(first(ended)).toMatchObject({ status: 'COMPLETED', attempt: 3, output: 'after 3' });
  const lost = { code: 'WORKER_LOST', message: expect.stringContaining('No heartbeat within 1 s') };
  expect(
    first(ended)
      .attempts.slice(0, 2)
      .map(({ error }: Loose) => error),
  ).toEqual([expect.objectContaining(lost), expect.objectContaining(lost)]);
  const [key] = calls.map((call) => call.split(' ')[2]);
  expect([...calls, ...last.calls]).toEqual([1, 2, 3].map((attempt) => `call ${attempt} ${key}`));
}, 120_000);

test('an activity runs through ten seconds without Temporal', async () => {
  const { app, id } = await started('patient');
  const worker = separateWorker(app);
  await begun(worker);
  await stack.holdTemporalDown(10_000);
  worker.goOn();
  expect(first(await home.ended(id))).toMatchObject({ status: 'COMPLETED', attempt: 1, output: 'after 1' });
  expect(worker.calls).toHaveLength(1);
}, 120_000);
