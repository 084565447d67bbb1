import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { action, control, edges } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const inside = (parentId: string) => ({ parentId });

const CONTINUE = { onItemError: 'continue' };
/** A repeat fails with its first failed iteration. */
const passed = (type: string) => (type === 'repeat' ? { onError: 'continue' as const } : {});

test.each([
  ['many in regions', 1_200, 24_000, 1, 'core.transform', { value: '{{ steps.large.output.data }}' }],
  ['large ones in regions', 150, 1_000_000, 1, 'core.transform', { value: '{{ steps.large.output.data }}' }],
  ['in the workflow', 30, 1_000_000, 5, 'testing.payload', { bytes: 1_000_000 }],
  ['in child workflows', 300, 100_000, 25, 'testing.payload', { bytes: 100_000 }],
])(
  'the loop fails as soon as its outputs are too large together: %s',
  async (_name, count, bytes, concurrency, what, inputs: JsonObject) => {
    const items = Array.from({ length: count }, () => 0);
    const execution = await home.run({
      nodes: [
        action('large', 'testing.payload', { bytes }),
        control('each', 'forEach', { items, concurrency, onItemError: 'continue' }),
        action('copy', what, inputs, inside('each')),
      ],
      edges: edges('large>each'),
    });
    expect(execution.status).toBe('FAILED');
    const { error, iterations } = stepOf(execution, 'each');
    expect(error.code).toBe('OUTPUT_TOO_LARGE');
    expect(error.message).toMatch(/^The output has \d{8} bytes; at most 10485760 are allowed/);
    // Each output has some bytes in addition to its data.
    const enough = Math.ceil(10_485_760 / (bytes + 50));
    expect(iterations.completed).toBeGreaterThanOrEqual(enough);
    expect(iterations.completed).toBeLessThan(enough + 2 * concurrency);
  },
);

test.each([
  ['in regions', 'forEach', { items: '{{ trigger.items }}' }, 'core.transform', { value: '{{ trigger.text }}' }],
  ['in the workflow', 'forEach', { items: '{{ trigger.few }}', concurrency: 5 }, 'testing.payload', { bytes: 600_000 }],
  [
    'in child workflows',
    'forEach',
    { items: '{{ trigger.items }}', concurrency: 25 },
    'testing.payload',
    { bytes: 60_000 },
  ],
  ['repeat in regions', 'repeat', { times: 250 }, 'core.transform', { value: '{{ trigger.text }}' }],
  ['repeat until', 'repeat', { until: '{{ loop.index == 20 }}' }, 'testing.payload', { bytes: 600_000 }],
] as const)(
  'a loop that keeps no outputs has counts alone, and no limit: %s',
  async (_name, type, inputs, what, of) => {
    const execution = await home.run(
      {
        nodes: [
          control('each', type, { ...inputs, keepOutputs: false, ...(type === 'forEach' ? CONTINUE : {}) }),
          action(
            'check',
            'core.assert',
            { condition: '{{ loop.index != 3 }}' },
            { ...inside('each'), ...passed(type) },
          ),
          action('large', what, of, inside('each')),
        ],
        edges: edges('check>large'),
        output: '{{ [steps.each.output, steps.each.output.total] }}',
      },
      { items: Array(250).fill(0), few: Array(20).fill(0), text: 'x'.repeat(60_000) },
    );
    expect(execution.status).toBe('COMPLETED');
    const { iterations } = stepOf(execution, 'each');
    const total = iterations.completed + iterations.failed;
    expect(total).toBeGreaterThanOrEqual(20);
    const failed = type === 'forEach' ? 1 : 0;
    expect(execution.output).toEqual([{ total, completed: total - failed, failed }, total]);
  },
);

test('a loop of nothing, and loops inside loops, count too', async () => {
  const execution = await home.run({
    nodes: [
      control('none', 'forEach', { items: [], keepOutputs: false }),
      control('outer', 'forEach', { items: [1, 2], concurrency: 2 }),
      control('inner', 'forEach', { items: [1, 2, 3], keepOutputs: false }, inside('outer')),
      action('work', 'testing.succeed', { output: 1 }, inside('inner')),
    ],
    edges: edges('none>outer'),
    output: '{{ [steps.none.output, steps.outer.output] }}',
  });
  const three = { total: 3, completed: 3, failed: 0 };
  expect(execution.output).toEqual([{ total: 0, completed: 0, failed: 0 }, [three, three]]);
});

test('open iterations end with a loop whose outputs are too large, and the loop around it continues', async () => {
  const execution = await home.run({
    nodes: [
      control('outer', 'forEach', { items: [1_000_000, 1], concurrency: 2, onItemError: 'continue' }),
      control(
        'inner',
        'forEach',
        { items: Array.from({ length: 30 }, (_, index) => index), concurrency: 3, onItemError: 'continue' },
        inside('outer'),
      ),
      control('first', 'condition', { condition: '{{ loop.index == 0 && loops.outer.index == 0 }}' }, inside('inner')),
      control('wait', 'delay', { forMs: 600_000 }, inside('inner')),
      action('large', 'testing.payload', { bytes: '{{ loops.outer.item }}' }, inside('inner')),
    ],
    edges: edges('first:true>wait', 'first:false>large'),
  });
  expect(execution.status).toBe('COMPLETED');
  const [failed, passed] = execution.output;
  expect(failed.error.code).toBe('OUTPUT_TOO_LARGE');
  expect(passed).toHaveLength(30);
  const waits = execution.executionPath.filter(({ nodeId }: { nodeId: string }) => nodeId === 'wait');
  expect(waits).toEqual([expect.objectContaining({ status: 'CANCELLED' })]);
});
