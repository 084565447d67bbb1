import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { eventsOf } from '../setup/api/events.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, manual, webhook } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { runJob } from './productionStack.ts';

const run = promisify(execFile);
const { apis, main, jobs, stopGraceMs } = inject('production');

/** The layout polls once a minute, so an answer within this time came by NOTIFY. */
const TOLD_MS = 2_000;
const SAMPLES = 60;
const FOUND_MS = 30_000;

const three = ['a', 'b', 'c'];
const trigger = webhook({ respond: 'whenFinished' });
const threeInline = {
  trigger,
  nodes: three.map((id) => action(id, 'core.transform', { value: '{{ trigger.body.n + 1 }}' })),
  edges: chain(...three),
};
const waiting = (ms: number) => ({ nodes: [action('wait', 'testing.wait', { ms })] });

function reported(what: string, samples: number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] as number;
  console.log(
    `${what}: p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, most ${at(1).toFixed(1)} ms of ${sorted.length}`,
  );
  return at(1);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function oneByOne(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index++) samples.push(await timed(() => work(index)));
  return samples;
}

/** Pids of the processes that run this file. */
async function pidsOf(path: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, args = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return args.includes(path) && !args.startsWith('sh ') ? [Number(pid)] : [];
  });
}

/** Stops all of them, like `docker stop`. Returns the duration of the slowest; they are started again. */
async function stopAll(path: string): Promise<number> {
  const old = await pidsOf(path);
  expect(old).toHaveLength(2);
  const startedAt = Date.now();
  for (const pid of old) process.kill(pid, 'SIGTERM');
  while ((await pidsOf(path)).some((pid) => old.includes(pid))) {
    if (Date.now() - startedAt > stopGraceMs) throw new Error(`Still there after ${stopGraceMs} ms`);
    await sleep(50);
  }
  return Date.now() - startedAt;
}

async function untilHealthy(): Promise<void> {
  const deadline = Date.now() + FOUND_MS;
  const isHealthy = (url: string) =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.all(apis.map(isHealthy))).every(Boolean)) {
    if (Date.now() > deadline) throw new Error('The APIs did not come back');
    await sleep(100);
  }
}

test('two workers poll the one task queue', async () => {
  const connection = await connectionTo(inject('stack').temporalAddress);
  try {
    // temporal.api.enums.v1.TaskQueueType: 1 workflows, 2 activities
    for (const taskQueueType of [1, 2]) {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace: jobs.namespace?.environment.TEMPORAL_NAMESPACE ?? '',
        taskQueue: { name: 'perdure' },
        taskQueueType,
      });
      expect(new Set(pollers?.map(({ identity }) => identity)).size).toBe(2);
    }
  } finally {
    await connection.close();
  }
});

test('a worker begins without a warning that no workflows are polled', async () => {
  expect(await stackLog('not polling for workflow tasks')).toEqual([]);
});

test('a webhook that answers when finished hears of the end in another process at once', async () => {
  const home = await makeHome();
  const path = `/api/webhooks/workflows/${await home.deploy(threeInline)}`;
  const open = api(home.url);
  const ask = async (n: number) => expect((await open('POST', path, { body: { n } })).body).toBe(n + 1);
  await oneByOne(10, ask);
  expect(reported('webhook, 3 inline steps, 1 client', await oneByOne(SAMPLES, ask))).toBeLessThan(TOLD_MS);
  const startedAt = performance.now();
  const clients = await Promise.all(Array.from({ length: 10 }, () => oneByOne(20, ask)));
  const perSecond = 200_000 / (performance.now() - startedAt);
  expect(reported(`webhook, 10 clients, ${perSecond.toFixed(0)}/s`, clients.flat())).toBeLessThan(TOLD_MS * 2);
});

test('so does actions/run', async () => {
  const home = await makeHome();
  const step = { appId: 'core', actionId: 'transform', inputs: { value: 7 } };
  const runAction = async () => {
    const answer = await home.api('POST', '/api/actions/run', { body: step });
    expect(answer).toMatchObject({ status: 201, body: { status: 'COMPLETED', output: 7 } });
  };
  expect(reported('actions/run, inline', await oneByOne(20, runAction))).toBeLessThan(TOLD_MS);
});

test('a stream of one API sends the writes of a worker', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ trigger: manual(), ...waiting(100) });
  const late: number[] = [];
  for (let index = 0; index < 20; index++) {
    const executionId = await home.execute(workflowId, {});
    for await (const { event, data } of eventsOf(home.api, executionId)) {
      if (event === 'execution.finished') late.push(Date.now() - Date.parse(stepOf(data, 'wait').stoppedAt));
    }
  }
  expect(reported('stream, from the end of the step to the event of the end', late)).toBeLessThan(TOLD_MS);
});

test('the jobs of the file may run again', async () => {
  for (const job of Object.values(jobs)) await runJob(job);
  await untilHealthy();
});

test('a worker that gets SIGTERM finishes its running actions, and another one takes the waiting ones', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ trigger: manual(), ...waiting(1_500) });
  const started = await Promise.all(Array.from({ length: 12 }, () => home.execute(workflowId, {})));
  await Promise.all(started.map((id) => home.until(id, ({ executionPath }) => executionPath?.length === 1)));
  const tookMs = await stopAll(main.worker);
  console.log(`both workers stopped after ${tookMs} ms`);
  const ended = await Promise.all(started.map((id) => home.ended(id)));
  expect(ended.map(({ status }) => status)).toEqual(started.map(() => 'COMPLETED'));
  expect(ended.map((one) => stepOf(one, 'wait').attempt)).toEqual(started.map(() => 1));
  await untilHealthy();
});

test('an API that gets SIGTERM answers its open requests', async () => {
  const home = await makeHome();
  const path = `/api/webhooks/workflows/${await home.deploy({ trigger, ...waiting(1_500) })}`;
  const asked = apis.map((url) => api(url)('POST', path, { body: {} }));
  await sleep(500);
  const tookMs = await stopAll(main.api);
  console.log(`both APIs stopped after ${tookMs} ms`);
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  await untilHealthy();
});
