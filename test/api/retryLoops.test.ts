// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { failingService } from '../setup/providers/failingService.ts';
import { action, chain, control, edges, type Graph, manual, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const MINUTES = 240_000;

const post = (id: string, url: string, parentId?: string, more: object = {}) =>
  action(id, 'http.request', { method: 'POST', url }, { ...(parentId === undefined ? {} : { parentId }), ...more });
const list = (count: number) => Array.from({ length: count }, (_, index) => index);
const named = (what: string, count: number) => list(count).map((index) => `${what}${index}`);
const bodies = (output: { body: string }[]) => output.map(({ body }) => body);

async function retryOf(home: Home, executionId: string, body: object = {}): Promise<string> {
  const answer = await home.api('POST', `/api/executions/${executionId}/retry`, { body: { again: true, ...body } });
  expect([answer.status, answer.body]).toEqual([201, { executionId: expect.any(String) }]);
  return answer.body.executionId;
}

async function retried(home: Home, executionId: string, body: object = {}) {
  return home.ended(await retryOf(home, executionId, body));
}

function orders(url: string, count: number, inputs: object = {}, more: object = {}): Graph & { slug: string } {
  return {
    slug: `w-${randomUUID()}`,
    nodes: [
      control('each', 'forEach', { items: list(count), ...inputs }, more),
      post('charge', `${url}/charge{{ loop.index }}`, 'each'),
      post('mail', `${url}/mail{{ loop.index }}`, 'each'),
      post('report', `${url}/report`),
    ],
    edges: edges('charge>mail', 'each>report'),
  };
}

test.each([
  ['in the workflow', 6, 3, 2],
  ['in child workflows', 130, 60, 20],
])(
  'a failed loop resumes where it failed, %s: nobody is charged twice',
  async (_where, count, failing, concurrency) => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add(`mail${failing}`);
    const first = await home.run(orders(server.url, count, { concurrency }));
    expect(first.status).toBe('FAILED');
    const charged = list(count).filter((index) => server.count(`charge${index}`) > 0).length;
    const again = await retried(home, first.id);
    expect([again.status, server.count(`charge${failing}`), server.count(`mail${failing}`)]).toEqual(['FAILED', 1, 2]);
    server.fails.clear();
    const third = await retried(home, again.id);
    expect(third.status).toBe('COMPLETED');
    expect(bodies(stepOf(third, 'each').output)).toEqual(named('mail', count));
    // A call that was running when the loop failed was cancelled; its repetition has the same key.
    for (const what of [...named('charge', count), ...named('mail', count)]) {
      expect([what, server.keysOf(what).length]).toEqual([what, 1]);
    }
    expect([server.count(`charge${failing}`), server.count(`mail${failing}`), server.count('report')]).toEqual([
      1, 3, 1,
    ]);
    const { iterations } = stepOf(third, 'each');
    expect(iterations).toEqual({ total: count, completed: count, failed: 0, reused: expect.any(Number) });
    expect(iterations.reused).toBeGreaterThanOrEqual(charged - 2 * concurrency);
    const path = `/api/executions/${third.id}/steps?filterBy=nodeId:charge&limit=100`;
    const { body } = await home.api('GET', path);
    expect(body.filter((step: { reused?: true }) => step.reused).length).toBeGreaterThan(0);
  },
  MINUTES,
);

test(
  'a loop in a region keeps its iterations, and in the failed one the steps before',
  async () => {
    const home = await makeHome();
    const { body: ready } = await home.api('POST', '/api/variables', { body: { name: 'ready', value: false } });
    const graph: Graph = {
      nodes: [
        control('each', 'forEach', { items: list(6) }),
        action('id', 'crypto.uuid', {}, { parentId: 'each' }),
        action('check', 'core.assert', { condition: '{{ loop.index != 4 || variables.ready }}' }, { parentId: 'each' }),
        action('say', 'core.transform', { value: '{{ [loop.index, steps.id.output] }}' }, { parentId: 'each' }),
      ],
      edges: chain('id', 'check', 'say'),
    };
    const first = await home.run(graph);
    expect(first.status).toBe('FAILED');
    const again = await retried(home, first.id);
    expect([again.status, stepOf(again, 'each').iterations.reused]).toEqual(['FAILED', 4]);
    await home.api('PATCH', `/api/variables/${ready.id}`, { body: { value: true } });
    const second = await retried(home, again.id);
    const { output, iterations } = stepOf(second, 'each');
    expect(iterations).toEqual({ total: 6, completed: 6, failed: 0, reused: 4 });
    const ids = first.executionPath.flatMap((step: { nodeId: string; output: string }) =>
      step.nodeId === 'id' ? [step.output] : [],
    );
    expect(ids).toHaveLength(5);
    expect(output.slice(0, 5)).toEqual(ids.map((id: string, index: number) => [index, id]));
    expect(output[5]).toEqual([5, expect.any(String)]);
  },
  MINUTES,
);

test(
  'a repeat continues at the first iteration that did not complete, also with conditions',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add('b3');
    const first = await home.run({
      nodes: [
        control('again', 'repeat', { until: '{{ steps.b.output.body == "b4" }}', maximumIterations: 300 }),
        post('a', `${server.url}/a{{ loop.index }}`, 'again'),
        post('b', `${server.url}/b{{ loop.index }}`, 'again'),
      ],
      edges: chain('a', 'b'),
    });
    expect(first.status).toBe('FAILED');
    server.fails.clear();
    const second = await retried(home, first.id);
    expect([second.status, bodies(second.output)]).toEqual(['COMPLETED', named('b', 5)]);
    expect(stepOf(second, 'again').iterations).toEqual({ completed: 5, failed: 0, reused: 3 });
    expect(named('a', 5).map((what) => server.count(what))).toEqual([1, 1, 1, 1, 1]);
    expect(named('b', 5).map((what) => server.count(what))).toEqual([1, 1, 1, 2, 1]);
    expect(server.keysOf('b3')).toHaveLength(1);
  },
  MINUTES,
);

test(
  'loops inside loops, answers of people and other workflows: all that completed is kept',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    const sub = await home.deploy({
      trigger: manual({ key: 'n', label: 'N', type: 'text', required: true }),
      nodes: [post('one', `${server.url}/one{{ trigger.n }}`), post('two', `${server.url}/two{{ trigger.n }}`)],
      edges: chain('one', 'two'),
    });
    server.fails.add('two1-0');
    const place = '{{ loops.outer.index }}-{{ loops.inner.index }}';
    const workflowId = await home.deploy({
      nodes: [
        control('outer', 'forEach', { items: list(2) }),
        question('ask', {}, { parentId: 'outer' }),
        control('inner', 'forEach', { items: list(2) }, { parentId: 'outer' }),
        control('call', 'runWorkflow', { workflowId: sub, input: { n: place } }, { parentId: 'inner' }),
        post('after', `${server.url}/after${place}`, 'inner'),
      ],
      edges: edges('ask>inner', 'call>after'),
    });
    const firstId = await home.execute(workflowId);
    for (const index of [0, 1]) {
      const at = ({ iteration }: { iteration: { index: number }[] }) => iteration[0]?.index === index;
      const { pendingInput } = await home.until(firstId, (snapshot) => snapshot.pendingInput?.some(at));
      await home.submit(firstId, 'ask', { answer: `yes ${index}` }, pendingInput.find(at).stepId);
    }
    expect((await home.ended(firstId)).status).toBe('FAILED');
    const again = await retried(home, firstId);
    expect(again.status).toBe('FAILED');
    server.fails.clear();
    const last = await retried(home, again.id);
    expect(last.status).toBe('COMPLETED');
    const places = ['0-0', '0-1', '1-0', '1-1'];
    for (const what of ['one', 'after']) expect(places.map((at) => server.count(what + at))).toEqual([1, 1, 1, 1]);
    expect(places.map((at) => server.count(`two${at}`))).toEqual([1, 1, 3, 1]);
    expect(server.keysOf('two1-0')).toHaveLength(1);
    expect(last.output.map(bodies)).toEqual([
      ['after0-0', 'after0-1'],
      ['after1-0', 'after1-1'],
    ]);
    const { childExecutions } = await home.read(again.id, 'childExecutions');
    const child = await home.read(childExecutions[0].id, 'retryOf');
    expect(child.retryOf).toMatchObject({ status: 'FAILED' });
    expect(stepOf(child, 'one').reused).toBe(true);
  },
  MINUTES,
);

test(
  'failed items of a loop that continued run again on request, with the steps after the loop',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    for (const what of ['mail1', 'charge4']) server.fails.add(what);
    const first = await home.run(orders(server.url, 6, { onItemError: 'continue', concurrency: 3 }));
    expect(first.status).toBe('COMPLETED');
    server.fails.delete('mail1');
    server.fails.add('report');
    const second = await retried(home, first.id, { failedItems: 'again' });
    expect([second.status, stepOf(second, 'each').iterations]).toEqual([
      'FAILED',
      { total: 6, completed: 5, failed: 1, reused: 4 },
    ]);
    expect(server.keysOf('report')).toHaveLength(2);
    server.fails.clear();
    // Only the failed step runs again: the loop had completed.
    const third = await retried(home, second.id);
    expect([third.status, server.count('charge4'), stepOf(third, 'each').reused]).toEqual(['COMPLETED', 2, true]);
    // The iterations of a reused loop are stored with the previous execution.
    const last = await retried(home, third.id, { failedItems: 'again' });
    expect(stepOf(last, 'each').iterations).toEqual({ total: 6, completed: 6, failed: 0, reused: 5 });
    expect(bodies(stepOf(last, 'each').output)).toEqual(named('mail', 6));
    expect(named('charge', 6).map((what) => server.count(what))).toEqual([1, 1, 1, 1, 3, 1]);
    expect(named('mail', 6).map((what) => server.count(what))).toEqual([1, 2, 1, 1, 1, 1]);
    for (const what of ['mail1', 'charge4']) expect(server.keysOf(what)).toHaveLength(1);
  },
  MINUTES,
);

test(
  'work that completed runs again on purpose alone, and by another key: loops again, from a step in a loop, with other input',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add('mail2');
    const first = await home.run(orders(server.url, 3));
    server.fails.clear();
    const again = await retried(home, first.id, { loops: 'again' });
    expect([again.status, stepOf(again, 'each').iterations.reused]).toEqual(['COMPLETED', undefined]);
    const keys = (what: string) => named(what, 3).map((each) => server.keysOf(each).length);
    expect([keys('charge'), keys('mail')]).toEqual([
      [2, 2, 2],
      [2, 2, 1],
    ]);
    const from = await retried(home, again.id, { fromStep: 'mail' });
    expect([from.status, stepOf(from, 'each').iterations]).toEqual([
      'COMPLETED',
      { total: 3, completed: 3, failed: 0, reused: 0 },
    ]);
    expect([keys('charge'), keys('mail'), server.keysOf('report')]).toEqual([
      [2, 2, 2],
      [3, 3, 2],
      [expect.any(String), expect.any(String)],
    ]);
    const whole = await retried(home, from.id, { input: {} });
    expect([whole.status, keys('charge')]).toEqual(['COMPLETED', [3, 3, 3]]);
  },
  MINUTES,
);

test(
  'with the latest version, steps inside a loop are reused like those outside, and a loop continues with its items',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    const { body: items } = await home.api('POST', '/api/variables', { body: { name: 'items', value: [0, 1, 2] } });
    server.fails.add('mail2');
    const graph = orders(server.url, 3, { items: '{{ variables.items }}' });
    const first = await home.ended(await home.execute(await home.deploy(graph)));
    server.fails.clear();
    await home.api('PATCH', `/api/variables/${items.id}`, { body: { value: [7, 8, 9, 10] } });
    const changed = (node: Graph['nodes'][number]) => {
      if (node.id === 'mail') return post('mail', `${server.url}/letter{{ loop.index }}`, 'each');
      return node.id === 'each' ? { ...node, inputs: { ...node.inputs, concurrency: 3 } } : node;
    };
    await home.deploy({ ...graph, nodes: graph.nodes.map(changed) });
    const second = await retried(home, first.id, { version: 'latest' });
    expect(bodies(stepOf(second, 'each').output)).toEqual(named('letter', 3));
    expect(stepOf(second, 'each').input).toMatchObject({ items: [0, 1, 2], concurrency: 3 });
    expect(named('charge', 3).map((what) => server.count(what))).toEqual([1, 1, 1]);
  },
  MINUTES,
);

test(
  'an execution that was cancelled during fifty parallel iterations continues, each call by its key',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.hangs = (what) => what.startsWith('mail') && Number(what.slice(4)) >= 20;
    const id = await home.execute(await home.deploy(orders(server.url, 120, { concurrency: 50 })));
    await poll(() => server.calls.filter(({ url }) => server.hangs(url.slice(1))).length, { timeout: 60_000 }).toBe(50);
    await home.api('POST', `/api/executions/${id}/cancel`);
    expect((await home.ended(id)).status).toBe('CANCELLED');
    server.hangs = () => false;
    const second = await retried(home, id);
    expect([second.status, stepOf(second, 'each').iterations]).toEqual([
      'COMPLETED',
      { total: 120, completed: 120, failed: 0, reused: 20 },
    ]);
    expect(bodies(stepOf(second, 'each').output)).toEqual(named('mail', 120));
    const counts = named('charge', 120).map((what) => server.count(what));
    expect(counts).toEqual(counts.map(() => 1));
    for (const what of named('mail', 120)) expect([what, server.keysOf(what).length]).toEqual([what, 1]);
  },
  MINUTES,
);

test.each([
  ['in the workflow', 20, 4],
  ['in child workflows', 130, 26],
])(
  'a loop whose outputs were too large goes on once it keeps none, %s: what had finished is not done again',
  async (_where, count, concurrency) => {
    const home = await makeHome();
    const server = await failingService();
    server.sends = (what) => (what.startsWith('mail') ? 'x'.repeat(1_000_000) : what);
    const graph = orders(server.url, count, { concurrency });
    const first = await home.ended(await home.execute(await home.deploy(graph)));
    expect([first.status, first.errorCode ?? stepOf(first, 'each').error.code]).toEqual(['FAILED', 'OUTPUT_TOO_LARGE']);
    const before = stepOf(first, 'each').iterations.completed;
    const calls = server.calls.length;
    // With the same definition, the reused iterations alone exceed the limit.
    const same = await retried(home, first.id);
    expect([stepOf(same, 'each').error.code, server.calls.length]).toEqual(['OUTPUT_TOO_LARGE', calls]);
    const counted = (node: Graph['nodes'][number]) =>
      node.id === 'each' ? { ...node, inputs: { ...node.inputs, keepOutputs: false } } : node;
    await home.deploy({ ...graph, nodes: graph.nodes.map(counted) });
    const last = await retried(home, same.id, { version: 'latest' });
    expect(last.status).toBe('COMPLETED');
    const { output, iterations, input } = stepOf(last, 'each');
    expect(output).toEqual({ total: count, completed: count, failed: 0 });
    expect(iterations).toEqual({ total: count, completed: count, failed: 0, reused: before });
    expect(input).toMatchObject({ keepOutputs: false });
    for (const what of [...named('charge', count), ...named('mail', count)]) {
      expect([what, server.keysOf(what).length]).toEqual([what, 1]);
    }
    expect(named('charge', count).map((what) => server.count(what))).toEqual(list(count).map(() => 1));
  },
  MINUTES,
);

test(
  'a loop that completed makes its output again where the latest version keeps no outputs, also inside another loop',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add('report');
    const graph: Graph & { slug: string } = {
      slug: `w-${randomUUID()}`,
      nodes: [
        control('outer', 'forEach', { items: list(2) }),
        control('inner', 'forEach', { items: list(2) }, { parentId: 'outer' }),
        post('work', `${server.url}/work{{ loops.outer.index }}{{ loop.index }}`, 'inner'),
        control('region', 'forEach', { items: list(3) }),
        action('set', 'core.transform', { value: '{{ loop.index }}' }, { parentId: 'region' }),
        control('none', 'forEach', { items: [] }),
        post('report', `${server.url}/report`),
      ],
      edges: edges('outer>report', 'region>report', 'none>report'),
      output: '{{ [steps.outer.output, steps.region.output, steps.none.output] }}',
    };
    const first = await home.ended(await home.execute(await home.deploy(graph)));
    expect(first.status).toBe('FAILED');
    server.fails.clear();
    const counted = (node: Graph['nodes'][number]) =>
      ['inner', 'region', 'none'].includes(node.id)
        ? { ...node, inputs: { ...node.inputs, keepOutputs: false } }
        : node;
    await home.deploy({ ...graph, nodes: graph.nodes.map(counted) });
    const second = await retried(home, first.id, { version: 'latest' });
    expect(second.status).toBe('COMPLETED');
    const of = (total: number) => ({ total, completed: total, failed: 0 });
    expect(second.output).toEqual([[of(2), of(2)], of(3), of(0)]);
    expect(stepOf(second, 'region').iterations.reused).toBe(3);
    await home.deploy(graph);
    const third = await retried(home, second.id, { version: 'latest', fromStep: 'report' });
    expect(third.output[1]).toEqual([0, 1, 2]);
    expect(['00', '01', '10', '11'].map((at) => server.count(`work${at}`))).toEqual([1, 1, 1, 1]);
  },
  MINUTES,
);
