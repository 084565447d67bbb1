import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { type Loopback, loopback } from '../setup/providers/loopback.ts';
import { beginAgain } from '../setup/stack/beginAgain.ts';
import { action, chain, control, edges, type Graph, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const retry = { maximumAttempts: 3, initialIntervalMs: 60, backoffCoefficient: 1 };

/** A service that fails `times` times, then answers. `path` is the default path of all calls. */
async function failing(times: number): Promise<Loopback & { down: boolean; bodies(path?: string): string[] }> {
  const server = await loopback((_, response, index) =>
    response.writeHead(made.down || index < times ? 503 : 200, JSON_TYPE).end('{}'),
  );
  const made = Object.assign(server, {
    down: false,
    bodies: (path = '/') => server.calls.filter(({ url }) => url === path).map(({ body }) => body),
  });
  return made;
}

const keysOf = ({ calls }: Loopback) => new Set(calls.map(({ headers }) => headers['idempotency-key']));

function post(id: string, url: string, body: object = { at: '{{ now }}' }, more: object = {}) {
  return action(id, 'http.request', { method: 'POST', url, body: body as never }, more);
}

async function retried(home: Home, executionId: string, body: object = {}) {
  const answer = await home.api('POST', `/api/executions/${executionId}/retry`, { body: { again: true, ...body } });
  expect(answer.status).toBe(201);
  return home.ended(answer.body.executionId);
}

test('every attempt of a step sees the same now, which is when it began; a later step sees a later one', async () => {
  const home = await makeHome();
  const server = await failing(2);
  const graph: Graph = {
    nodes: [
      post('call', server.url, { at: '{{ now }}', text: 'at {{ now }}' }, { retry }),
      action('later', 'core.transform', { value: '{{ now }}' }),
    ],
    edges: chain('call', 'later'),
    output: { ended: '{{ now }}' },
  };
  const ended = await home.run(graph);
  expect(ended.status).toBe('COMPLETED');
  const { startedAt, attempt } = stepOf(ended, 'call');
  expect([attempt, server.calls.length, keysOf(server).size]).toEqual([3, 3, 1]);
  expect(new Set(server.bodies())).toEqual(new Set([JSON.stringify({ at: startedAt, text: `at ${startedAt}` })]));
  const later = stepOf(ended, 'later');
  expect(later.output).toBe(later.startedAt);
  expect(Date.parse(later.output)).toBeGreaterThanOrEqual(Date.parse(startedAt) + 120);
  expect(ended.output.ended).toMatch(ISO);
  expect(ended.output.ended >= later.output).toBe(true);
});

test('inline steps too: code that waits for its own begin to be past ends', async () => {
  const home = await makeHome();
  const code = 'while (Date.now() - Date.parse(input.at) < 2000); return input.at;';
  const policy = { maximumAttempts: 2, initialIntervalMs: 1_200 };
  const more = { retry: policy, timeoutMs: 1_000 };
  const late = action('late', 'code.javascript', { code, input: { at: '{{ now }}' } }, more);
  const ended = await home.run({ nodes: [late] });
  const step = stepOf(ended, 'late');
  expect([step.status, step.attempt, step.output]).toEqual(['COMPLETED', 2, step.startedAt]);
});

test('in loops each step of an iteration has its own; until and while see when their loop began', async () => {
  const home = await makeHome();
  const server = await failing(1);
  const parentId = 'each';
  const remote = await home.run({
    nodes: [
      control('each', 'forEach', { items: ['a', 'b'] }),
      post('call', `${server.url}/{{ loop.item }}`, { at: '{{ now }}' }, { parentId, retry }),
    ],
  });
  expect(remote.status).toBe('COMPLETED');
  const [[first, second, ...more], [other]] = [server.bodies('/a'), server.bodies('/b')];
  expect([first, more]).toEqual([second, []]);
  expect(JSON.parse(other ?? '').at > JSON.parse(first ?? '').at).toBe(true);

  const until = '{{ now <= timestamp(steps.clock.output) && loop.index == 2 }}';
  const [inRegion, inWorkflow] = await Promise.all(
    ['core.transform', 'testing.succeed'].map((what) =>
      home.run({
        nodes: [
          control('again', 'repeat', { until }),
          action(
            'clock',
            what,
            { [what === 'core.transform' ? 'value' : 'output']: '{{ now }}' },
            { parentId: 'again' },
          ),
        ],
      }),
    ),
  );
  for (const ended of [inRegion, inWorkflow]) {
    expect(ended.status).toBe('COMPLETED');
    expect(ended.output).toEqual([...ended.output].sort());
    expect(ended.output).toEqual(Array(3).fill(expect.stringMatching(ISO)));
  }
});

test('a retry of the execution keeps it, and with it the key, until the step has completed', async () => {
  const home = await makeHome();
  const server = await failing(0);
  server.down = true;
  const first = await home.run({
    nodes: [
      control('each', 'forEach', { items: ['x'] }),
      post('inside', `${server.url}/inside`, undefined, { parentId: 'each', onError: 'continue' }),
      post('call', server.url),
      action('after', 'core.transform', { value: '{{ now }}' }),
    ],
    edges: edges('call>after'),
  });
  expect(first.status).toBe('FAILED');
  const again = await retried(home, first.id);
  expect(again.status).toBe('FAILED');
  server.down = false;
  const third = await retried(home, again.id);
  expect(third.status).toBe('COMPLETED');
  const began = stepOf(first, 'call').startedAt;
  expect(server.bodies()).toEqual(Array(3).fill(JSON.stringify({ at: began })));
  expect(
    new Set(server.calls.filter(({ url }) => url === '/').map(({ headers }) => headers['idempotency-key'])).size,
  ).toBe(1);
  expect(stepOf(third, 'call').startedAt > began).toBe(true);
  expect(stepOf(third, 'after').output).toBe(stepOf(third, 'after').startedAt);

  // A step that runs again has another start, on purpose.
  const fourth = await retried(home, third.id, { fromStep: 'call' });
  expect(fourth.status).toBe('COMPLETED');
  expect(JSON.parse(server.bodies()[3] ?? '')).toEqual({ at: stepOf(fourth, 'call').startedAt });
  expect(stepOf(fourth, 'after').output).toBe(stepOf(fourth, 'after').startedAt);
});

test('a workflow that begins again while the step runs: the same now', async () => {
  const home = await makeHome();
  const server = await loopback((_, response, index) => {
    if (index > 0) response.writeHead(200, JSON_TYPE).end('{}');
  });
  const executionId = await home.execute(
    await home.deploy({
      nodes: [action('first', 'core.set', { values: {} }), post('call', server.url)],
      edges: chain('first', 'call'),
    }),
  );
  await poll(() => server.calls.length, { interval: 20 }).toBe(1);
  await beginAgain(executionId);
  const ended = await home.ended(executionId);
  expect(ended.status).toBe('COMPLETED');
  const at = stepOf(ended, 'call').startedAt;
  expect(server.calls.map(({ body }) => JSON.parse(body))).toEqual([{ at }, { at }]);
  expect(keysOf(server).size).toBe(1);
});

test('a node test and an ad-hoc run have it; validate reports places without it', async () => {
  const home = await makeHome();
  const value = '{{ [now, now + duration("1d"), formatTime(now, "yyyy"), now.getFullYear(), timestamp(now) == now] }}';
  const workflowId = await home.deploy({ nodes: [action('t', 'core.transform', { value })] });
  const tested = await home.api('POST', `/api/workflows/${workflowId}/nodes/t/test`, { body: {} });
  const [at, tomorrow, ...rest] = tested.body.output;
  expect(Date.parse(tomorrow) - Date.parse(at)).toBe(86_400_000);
  expect(rest).toEqual([at.slice(0, 4), Number(at.slice(0, 4)), true]);
  expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);

  const run = await home.api('POST', '/api/actions/run', {
    body: { appId: 'core', actionId: 'transform', inputs: { value: '{{ now }}' } },
  });
  expect([run.status, run.body.output]).toEqual([201, expect.stringMatching(ISO)]);

  const validated = async (graph: object) => {
    const { body } = await home.api('POST', '/api/workflows/validate', {
      body: { slug: `w-${randomUUID()}`, edges: [], ...graph },
    });
    return body.problems;
  };
  const node = action('n', 'core.transform', { value });
  expect(await validated({ nodes: [node], output: '{{ now }}' })).toEqual([]);
  expect(
    await validated({ nodes: [node], trigger: webhook({ duplicates: { key: 'string(now)', forMs: 1 } }) }),
  ).toMatchObject([
    { path: 'trigger.config.duplicates.key', message: expect.stringContaining('now do not exist before the start') },
  ]);
  expect(
    await validated({ nodes: [action('n', 'core.transform', { value: '{{ [1].map(now, now) }}' })] }),
  ).toMatchObject([
    { path: 'nodes[0].inputs.value', nodeId: 'n', message: expect.stringContaining('the name now is taken') },
  ]);
});
