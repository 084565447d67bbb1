import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { METRICS } from '../../engine/metrics/metricTable.ts';
import { METRICS_PAGE } from '../../tools/metricsPage.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, chain, manual, question } from '../setup/workspace/graph.ts';
import { ownApp, ownWorker } from '../setup/workspace/ownWorker.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const { stack, home, database } = await ownHome({
  environment: { GAUGES_INTERVAL_MS: '100', METRICS_WORKFLOWS: 'named, other' },
});

/** After reading the gauges, the process pauses ten times as long as the reading took, also on a busy machine. */
const SOON = { timeout: 60_000 };

/** Long form: SERIES_WORKSPACES=1000 SERIES_WORKFLOWS=10 npm test -- test/embedded/metrics */
const FEW = 4;
const WORKSPACES = Number(process.env.SERIES_WORKSPACES ?? FEW);
const WORKFLOWS = Number(process.env.SERIES_WORKFLOWS ?? 3);

const GRAPH = {
  name: 'counted',
  trigger: manual(),
  nodes: [action('a', 'testing.wait', { ms: 1 })],
  edges: chain('trigger', 'a'),
};

async function scrape(): Promise<Map<string, number>> {
  const answer = await fetch(stack.metricsUrl);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const series = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    series.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

async function sum(name: string, ...parts: string[]): Promise<number> {
  const found = [...(await scrape())].filter(([series]) => {
    const [own] = series.split('{');
    return own === name && parts.every((part) => series.includes(part));
  });
  return found.reduce((total, [, value]) => total + value, 0);
}

test('also serves the liveness of the process', async () => {
  const alive = await fetch(new URL('/healthz', stack.metricsUrl));
  expect([alive.status, await alive.text()]).toEqual([200, 'ok\n']);
});

test('the page documents each metric that is served, and each one of the page is there', async () => {
  const page = readFileSync(METRICS_PAGE, 'utf8');
  const documented = [...page.matchAll(/^\| `(perdure_\w+)`/gm)].map(([, name]) => name);
  expect(documented.sort()).toEqual(Object.keys(METRICS).sort());
  await poll(async () => (await (await fetch(stack.metricsUrl)).text()).includes('perdure_questions_open'), SOON).toBe(
    true,
  );
  const text = await (await fetch(stack.metricsUrl)).text();
  const served = [...text.matchAll(/^# TYPE (perdure_\w+)/gm)].map(([, name]) => name);
  expect(served.sort()).toEqual(documented);
});

test('steps that wait for a worker of the customer are counted by queue', async () => {
  const app = await ownApp(home);
  const waiting = () => sum('perdure_worker_queue_waiting', `queue="${app.taskQueue}"`);
  const ids = [await home.execute(await home.deploy({ nodes: [action('a', `${app.slug}.work`)] }))];
  await poll(waiting, SOON).toBe(1);
  ids.push(await home.execute(await home.deploy({ nodes: [action('a', `${app.slug}.work`)] })));
  await poll(waiting, SOON).toBe(2);
  await ownWorker(app, { work: async () => 'done' }, {}, stack.temporalAddress);
  for (const id of ids) await home.ended(id);
  await poll(waiting, SOON).toBe(0);
});

test('tokens are counted from zero, before a model is called: the first call is a growth', async () => {
  const series = await scrape();
  const kinds = ['input', 'output', 'cached_input', 'reasoning'];
  expect(kinds.map((kind) => series.get(`perdure_model_tokens_total{kind="${kind}"}`))).toEqual([0, 0, 0, 0]);
});

test('metrics of the engine and of the process are there too', async () => {
  await home.run(GRAPH);
  const names = new Set([...(await scrape()).keys()].map((series) => series.split('{')[0]));
  expect([...names]).toEqual(expect.arrayContaining(['temporal_num_pollers', 'process_cpu_seconds_total']));
});

test('an execution, its step and its request are counted once', async () => {
  const workflowId = await home.deploy({ ...GRAPH, slug: 'named' });
  const counts = async () => [
    await sum('perdure_executions_started_total', 'workflow="named"'),
    await sum('perdure_executions_ended_total', 'workflow="named"', 'status="COMPLETED"'),
    await sum('perdure_execution_duration_seconds_count', 'workflow="named"'),
    await sum('perdure_steps_total', 'app="testing"', 'action="wait"', 'status="COMPLETED"'),
    await sum('perdure_http_requests_total', 'operation="executeWorkflow"'),
  ];
  const before = await counts();
  const executionId = await home.execute(workflowId);
  await home.ended(executionId);
  await poll(counts, SOON).toEqual(before.map((count) => count + 1));
});

test('gauges show what is open, and streams who follows', async () => {
  const executionId = await home.execute(await home.deploy({ ...GRAPH, nodes: [question('a')] }));
  await home.asked(executionId, 'a');
  await poll(() => sum('perdure_questions_open'), SOON).toBe(1);
  await poll(() => sum('perdure_executions_open', 'status="NEEDS_INPUT"'), SOON).toBe(1);
  const leaves = new AbortController();
  const followed = await fetch(`${stack.url}/api/executions/${executionId}/stream`, {
    headers: { 'x-api-key': home.apiKey },
    signal: leaves.signal,
  });
  expect(followed.status).toBe(200);
  await poll(() => sum('perdure_streams_open'), SOON).toBe(1);
  leaves.abort();
  await poll(() => sum('perdure_streams_open'), SOON).toBe(0);
  await home.submit(executionId, 'a', { answer: 'yes' });
  await poll(() => sum('perdure_questions_open'), SOON).toBe(0);
});

test(
  'workflows and workspaces add no series',
  async () => {
    const one = async () => {
      const { apiKey, projectId } = await makeWorkspace({ url: stack.url, database });
      const call = api(stack.url, apiKey);
      const path = `/api/projects/${projectId}/workflows/upsert`;
      for (let number = 1; number <= WORKFLOWS; number += 1) {
        const { body } = await call('POST', path, { body: { ...GRAPH, slug: `workflow-${number}` } });
        const started = await call('POST', `/api/executions/workflows/${body.id}/execute`, { body: {} });
        await home.api('GET', '/api/projects');
        await poll(async () => {
          const read = await call('GET', `/api/executions/${started.body.executionId}?expansion=status`);
          return read.body.status;
        }, SOON).toBe('COMPLETED');
      }
    };
    await one();
    const of = async (prefix: string) =>
      [...(await scrape()).keys()].filter((series) => series.startsWith(prefix)).sort();
    const [before, engineBefore] = [await of('perdure_'), await of('temporal_')];
    await pMap(Array.from({ length: WORKSPACES }), one, { concurrency: 4 });
    const [after, engineAfter] = [await of('perdure_'), await of('temporal_')];
    expect(after.filter((series) => !before.includes(series))).toEqual([]);
    // Series of the engine name kinds of calls, some of which appear later, but contain no id.
    expect(engineAfter.filter((series) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(series))).toEqual([]);
    if (WORKSPACES > FEW) {
      console.log(
        `${WORKSPACES * WORKFLOWS} workflows of ${WORKSPACES} workspaces: perdure_ ${before.length} → ${after.length} series, temporal_ ${engineBefore.length} → ${engineAfter.length}`,
      );
    }
  },
  60_000 + WORKSPACES * WORKFLOWS * 1_000,
);

test('nothing else is served there', async () => {
  expect((await fetch(new URL('/', stack.metricsUrl))).status).toBe(404);
  expect((await fetch(stack.metricsUrl, { method: 'POST' })).status).toBe(405);
});
