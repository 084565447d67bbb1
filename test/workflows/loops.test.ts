import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, type Graph, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const inside = (parentId: string) => ({ parentId });
const set = (id: string, parentId: string | undefined, value: string) =>
  action(id, 'core.transform', { value }, parentId === undefined ? {} : { parentId });

interface Shown {
  executionPath: { nodeId: string; iteration: object[] }[];
}
const stepsOf = ({ executionPath }: Shown, nodeId: string) => executionPath.filter((step) => step.nodeId === nodeId);

describe('forEach', () => {
  test('goes over a list in order, with item, index, total and the steps around', async () => {
    const execution = await home.run({
      nodes: [
        set('base', undefined, '{{ 100 }}'),
        control('each', 'forEach', { items: [3, 1, 2] }),
        set('sum', 'each', '{{ steps.base.output + loop.item * 10 + loop.index }}'),
        set('text', 'each', '{{ string(int(steps.sum.output)) + "/" + string(int(loop.total)) }}'),
      ],
      edges: edges('base>each', 'sum>text'),
    });
    expect(execution).toMatchObject({ status: 'COMPLETED', output: ['130/3', '111/3', '122/3'] });
    expect(stepsOf(execution, 'sum').map(({ iteration }: { iteration: object }) => iteration)).toEqual([
      [expect.objectContaining({ nodeId: 'each', index: 0 })],
      [expect.objectContaining({ nodeId: 'each', index: 1 })],
      [expect.objectContaining({ nodeId: 'each', index: 2 })],
    ]);
  });

  test.each([
    ['keys of an object', { a: 2, b: 1 }, ['a', 'b']],
    ['nothing', [], []],
  ])('goes over %s', async (_name, items, output) => {
    const execution = await home.run({
      nodes: [control('each', 'forEach', { items }), set('item', 'each', '{{ loop.item }}')],
    });
    expect(execution.output).toEqual(output);
  });

  test('with remote actions side by side, the output keeps the order', async () => {
    const execution = await home.run({
      nodes: [
        control('each', 'forEach', { items: [60, 1, 30], concurrency: 3 }),
        action('wait', 'testing.wait', { ms: '{{ loop.item }}' }, inside('each')),
        set('after', 'each', '{{ [loop.item, has(steps.wait.output.waitedMs)] }}'),
      ],
      edges: chain('wait', 'after'),
    });
    expect(execution.output).toEqual([
      [60, true],
      [1, true],
      [30, true],
    ]);
  });

  test.each(['core.assert', 'testing.fail'])(
    'a failed item stops the loop, and the error names it (%s)',
    async (what) => {
      const inputs: JsonObject =
        what === 'core.assert' ? { condition: '{{ loop.item < 2 }}', message: 'too big' } : { message: 'too big' };
      const execution = await home.run({
        nodes: [
          control('each', 'forEach', { items: [1, 2, 3] }),
          control('is', 'condition', { condition: '{{ loop.item < 2 }}' }, inside('each')),
          action('work', what, inputs, inside('each')),
        ],
        edges: edges('is:false>work'),
      });
      expect(execution.status).toBe('FAILED');
      expect(execution.statusMessage).toContain('Iteration 2');
      expect(execution.statusMessage).toContain('too big');
      expect(stepsOf(execution, 'is')).toHaveLength(2);
    },
  );

  test('remote actions side by side see the steps before them: of their iteration, and around the loops', async () => {
    const items = Array.from({ length: 24 }, (_, index) => index);
    const succeed = (id: string, parentId: string, output: string) =>
      action(id, 'testing.succeed', { output }, inside(parentId));
    const execution = await home.run({
      nodes: [
        action('base', 'testing.succeed', { output: 1000 }),
        control('outer', 'forEach', { items: [100, 200], concurrency: 2 }),
        succeed('before', 'outer', '{{ steps.base.output + loop.item }}'),
        control('inner', 'forEach', { items, concurrency: 12 }, inside('outer')),
        succeed('first', 'inner', '{{ loop.item + steps.before.output + loops.outer.item * 100 }}'),
        succeed('second', 'inner', '{{ steps.first.output + 0.5 }}'),
        action(
          'third',
          'testing.fail',
          { times: 1 },
          { ...inside('inner'), retry: { maximumAttempts: 2, initialIntervalMs: 1 } },
        ),
        set('last', 'inner', '{{ [int(loop.index), int(steps.third.output.attempt), steps.second.output] }}'),
      ],
      edges: [...edges('base>outer', 'before>inner', 'first>second', 'second>third', 'third>last')],
    });
    expect(execution.status).toBe('COMPLETED');
    const expected = (outer: number) => items.map((item) => [item, 2, item + 1000 + outer + outer * 100 + 0.5]);
    expect(execution.output).toEqual([expected(100), expected(200)]);
    expect(stepsOf(execution, 'third')).toHaveLength(48);
  });

  test('onItemError continue puts the error into the output; an error edge leaves the loop', async () => {
    const loop = (inputs: object, more = {}): Graph => ({
      nodes: [
        control('each', 'forEach', { items: [1, 2], concurrency: 2, ...inputs }, more),
        control('is', 'condition', { condition: '{{ loop.item == 1 }}' }, inside('each')),
        action('bad', 'testing.fail', { message: 'no' }, inside('each')),
        set('good', 'each', '{{ loop.item }}'),
        set('caught', undefined, '{{ steps.each.error.code }}'),
      ],
      edges: edges('is:true>bad', 'is:false>good', ...('onError' in more ? ['each:error>caught'] : [])),
    });
    const graph = loop({ onItemError: 'continue' });
    graph.nodes = graph.nodes.filter(({ id }) => id !== 'caught');
    const continued = await home.run(graph);
    expect(continued.output).toEqual([
      { error: { code: expect.any(String), message: expect.stringContaining('no') } },
      2,
    ]);
    const routed = await home.run(loop({}, { onError: 'route' }));
    expect(routed).toMatchObject({ status: 'COMPLETED', output: 'ITERATION_FAILED' });
  });

  test('loops can be in loops and in branches; outer items are reached by name', async () => {
    const execution = await home.run({
      nodes: [
        control('outer', 'forEach', { items: ['a', 'b'], concurrency: 2 }),
        control('inner', 'forEach', { items: [1, 2], concurrency: 2 }, inside('outer')),
        action('wait', 'testing.wait', { ms: 1 }, inside('inner')),
        set('text', 'inner', '{{ loops.outer.item + string(int(loop.item)) + string(int(loops.inner.index)) }}'),
        set('joined', 'outer', '{{ steps.inner.output.join("-") }}'),
        control('beside', 'forEach', { items: [7] }),
        set('seven', 'beside', '{{ loop.item }}'),
      ],
      edges: edges('wait>text', 'inner>joined'),
    });
    expect(execution).toMatchObject({ status: 'COMPLETED', output: { outer: ['a10-a21', 'b10-b21'], beside: [7] } });
  });

  test('a stop node inside ends the execution with its output', async () => {
    for (const remote of [false, true]) {
      const execution = await home.run({
        nodes: [
          control('each', 'forEach', { items: [1, 2, 3] }),
          ...(remote ? [action('wait', 'testing.wait', { ms: 1 }, inside('each'))] : []),
          control('is', 'condition', { condition: '{{ loop.item == 2 }}' }, inside('each')),
          control(
            'end',
            'stop',
            { outcome: 'completed', output: '{{ loop.item }}', message: 'enough' },
            inside('each'),
          ),
          set('never', undefined, 'never'),
        ],
        edges: edges(...(remote ? ['wait>is'] : []), 'is:true>end', 'each>never'),
      });
      expect(execution).toMatchObject({ status: 'COMPLETED', output: 2, statusMessage: 'enough' });
      expect(stepsOf(execution, 'never')).toEqual([]);
    }
  });

  test('retries inside a loop keep their own count', async () => {
    const execution = await home.run({
      nodes: [
        control('each', 'forEach', { items: [1, 2], concurrency: 2 }),
        action(
          'flaky',
          'testing.fail',
          { times: 1 },
          { parentId: 'each', retry: { maximumAttempts: 3, initialIntervalMs: 10 } },
        ),
      ],
    });
    expect(execution.output).toEqual([{ attempt: 2 }, { attempt: 2 }]);
  });
});

describe('repeat', () => {
  test.each([
    ['times', { times: 3 }, [0, 1, 2]],
    ['no times', { times: 0 }, []],
    ['while', { while: '{{ loop.index < 2 }}' }, [0, 1]],
    ['until', { until: '{{ steps.n.output >= 2 }}' }, [0, 1, 2]],
  ])('%s, in a region and as a workflow', async (_name, inputs, output) => {
    for (const pause of [{}, { pauseMs: 1 }] as JsonObject[]) {
      const execution = await home.run({
        nodes: [control('again', 'repeat', { ...inputs, ...pause }), set('n', 'again', '{{ loop.index }}')],
      });
      expect(execution).toMatchObject({ status: 'COMPLETED', output });
    }
  });

  test('too many iterations are an error', async () => {
    for (const pause of [{}, { pauseMs: 1 }] as JsonObject[]) {
      const execution = await home.run({
        nodes: [
          control('again', 'repeat', { until: '{{ false }}', maximumIterations: 3, ...pause }),
          set('n', 'again', '{{ loop.index }}'),
        ],
      });
      expect(execution.status).toBe('FAILED');
      expect(execution.statusMessage).toContain('After 3 iterations');
    }
  });
});

test('many iterations run as child workflows, and no history grows with the loop', async () => {
  const execution = await home.run(
    {
      nodes: [
        control('each', 'forEach', { items: '{{ trigger.items }}', concurrency: 30 }),
        action('wait', 'testing.wait', { ms: 0 }, inside('each')),
        set('item', 'each', '{{ loop.item * 2 }}'),
      ],
      edges: chain('wait', 'item'),
    },
    { items: Array.from({ length: 150 }, (_, index) => index) },
  );
  expect(execution.status).toBe('COMPLETED');
  expect(execution.output).toEqual(Array.from({ length: 150 }, (_, index) => index * 2));
  const temporal = await stackTemporal();
  const parent = await temporal.workflow.getHandle(execution.id).describe();
  expect(parent.historyLength).toBeLessThan(60);
  const child = await temporal.workflow.getHandle(`${execution.id}/each:0`).describe();
  expect(child).toMatchObject({ type: 'runPart', status: { name: 'COMPLETED' } });
});

test('a loop for which the history around it has no room left is divided by a child workflow', async () => {
  // The condition is false, but possible events of the questions count, so the iteration of `outer` uses all the room.
  const unasked = (parentId: string, count: number) => [
    control(`if-${parentId}`, 'condition', { condition: false }, inside(parentId)),
    ...Array.from({ length: count }, (_, index) => question(`${parentId}-${index}`, {}, inside(parentId))),
  ];
  const ways = (parentId: string, count: number, other: string) => [
    `if-${parentId}:false>${other}`,
    ...Array.from({ length: count }, (_, index) => `if-${parentId}:true>${parentId}-${index}`),
  ];
  const execution = await home.run({
    nodes: [
      control('outer', 'forEach', { items: ['only'] }),
      control('inner', 'forEach', { items: [1, 2, 3] }, inside('outer')),
      action('work', 'testing.succeed', { output: '{{ loop.item }}' }, inside('inner')),
      ...unasked('inner', 300),
      ...unasked('outer', 447),
    ],
    edges: edges(...ways('inner', 300, 'work'), ...ways('outer', 447, 'inner')),
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: [[1, 2, 3]] });
  const temporal = await stackTemporal();
  for (const share of ['0-3', '0', '1', '2']) {
    const child = temporal.workflow.getHandle(`${execution.id}/outer:0/inner:${share}`);
    expect(await child.describe()).toMatchObject({ type: 'runPart', status: { name: 'COMPLETED' } });
  }
});

test('a loop of thousands of iterations in regions: few events, every output', async () => {
  const execution = await home.run({
    nodes: [control('again', 'repeat', { times: 2_500 }), set('n', 'again', '{{ loop.index }}')],
    output: '{{ [size(steps.again.output), steps.again.output[2499]] }}',
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: [2_500, 2_499] });
  const { historyLength } = await (await stackTemporal()).workflow.getHandle(execution.id).describe();
  expect(historyLength).toBeLessThan(100);
});

describe('input in loops', () => {
  test('many questions are open at once, each answered by its step', async () => {
    const workflowId = await home.deploy({
      nodes: [
        control('each', 'forEach', { items: ['a', 'b', 'c'], concurrency: 3 }),
        question('ask', {}, inside('each')),
        set('said', 'each', '{{ loop.item + steps.ask.output.answer }}'),
      ],
      edges: chain('ask', 'said'),
    });
    const executionId = await home.execute(workflowId);
    const waiting = await home.until(executionId, ({ pendingInput }) => pendingInput.length === 3);
    expect(waiting.status).toBe('NEEDS_INPUT');
    const unclear = await home.submit(executionId, 'ask', { answer: 'x' });
    expect(unclear).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    for (const { stepId, iteration } of [...waiting.pendingInput].reverse()) {
      const answer = await home.submit(executionId, 'ask', { answer: `${iteration[0].index}` }, stepId);
      expect(answer.status).toBe(200);
    }
    expect((await home.ended(executionId)).output).toEqual(['a0', 'b1', 'c2']);
  });
});
