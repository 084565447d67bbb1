import fc from 'fast-check';
import { expect } from 'vitest';
import type { Outcome } from '../../domain/execution/outcome.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Node } from '../../domain/workflow/definition.ts';
import { action, control, edges, type Graph } from '../setup/graph.ts';

/** How a node of a random graph will end, whatever the rest does. */
export interface Expected {
  outcome: Outcome;
  /** Of a completed step; undefined where it does not matter. */
  output?: unknown;
}

export interface RandomGraph {
  graph: Graph;
  expected: Map<string, Expected>;
  /** What people do at the questions that are asked. */
  answers: Map<string, 'answer' | 'wait' | 'cancel'>;
}

interface Made extends Expected {
  node: Node;
  /** Of a loop. */
  children?: Node[];
  /** Ways out, undefined for the plain one. */
  handles: (string | undefined)[];
  answer?: 'answer' | 'wait' | 'cancel';
}

type OnError = 'fail' | 'continue' | 'route';

const onError = fc.oneof(
  { weight: 1, arbitrary: fc.constant<OnError>('fail') },
  { weight: 5, arbitrary: fc.constantFrom<OnError>('continue', 'route') },
);

function completed(nodeId: string, handle?: string): Outcome {
  return handle === undefined ? { nodeId, status: 'COMPLETED' } : { nodeId, status: 'COMPLETED', handle };
}

function failed(nodeId: string): Outcome {
  return { nodeId, status: 'FAILED', code: '' };
}

const plainOrError = (how: OnError) => (how === 'route' ? [undefined, 'error'] : [undefined]);

const makers: fc.Arbitrary<(id: string) => Made>[] = [
  fc.constant((id) => ({
    node: action(id, 'core.transform', { value: id }),
    handles: [undefined],
    outcome: completed(id),
    output: id,
  })),
  fc.constant((id) => ({
    node: action(id, 'testing.succeed', { output: id }),
    handles: [undefined],
    outcome: completed(id),
    output: id,
  })),
  fc.tuple(onError, fc.boolean()).map(([how, remote]) => (id) => ({
    node: remote
      ? action(id, 'testing.fail', { retryable: false }, { onError: how })
      : action(id, 'core.assert', { condition: false }, { onError: how }),
    handles: plainOrError(how),
    outcome: failed(id),
  })),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 2, max: 3 }), onError)
    .map(([times, attempts, how]) => (id) => ({
      node: action(
        id,
        'testing.fail',
        { times },
        {
          onError: how,
          retry: { maximumAttempts: attempts, initialIntervalMs: 20 },
        },
      ),
      handles: plainOrError(how),
      ...(times < attempts ? { outcome: completed(id), output: { attempt: times + 1 } } : { outcome: failed(id) }),
    })),
  fc.boolean().map((result) => (id) => ({
    node: control(id, 'condition', { condition: result }),
    handles: ['true', 'false'],
    outcome: completed(id, String(result)),
    output: { result },
  })),
  fc.constantFrom('a', 'b', 'default').map((name) => (id) => ({
    node: control(id, 'switch', {
      value: name,
      cases: [
        { name: 'a', equals: 'a' },
        { name: 'b', equals: 'b' },
      ],
    }),
    handles: ['a', 'b', 'default'],
    outcome: completed(id, name),
    output: { case: name },
  })),
  fc
    .constantFrom<'answer' | 'wait' | 'expire' | 'cancel'>(
      'answer',
      'answer',
      'answer',
      'answer',
      'wait',
      'expire',
      'cancel',
    )
    .map((what) => (id) => questionOf(id, what)),
];

const delays: fc.Arbitrary<(id: string) => Made> = fc.integer({ min: 0, max: 300 }).map((forMs) => (id) => ({
  node: control(id, 'delay', { forMs }),
  handles: [undefined],
  outcome: completed(id),
  output: { resumedAt: expect.any(String) },
}));

/** What a loop does with each of its items, and what comes of an item. */
const bodies: ((id: string) => { child: Node; output: (item: number) => unknown })[] = [
  (id) => ({ child: action(id, 'core.transform', { value: '{{ loop.item * 2 }}' }), output: (item) => item * 2 }),
  (id) => ({ child: action(id, 'testing.succeed', { output: '{{ loop.item + 1 }}' }), output: (item) => item + 1 }),
  (id) => ({
    child: action(id, 'testing.fail', { times: 1 }, { retry: { maximumAttempts: 2, initialIntervalMs: 20 } }),
    output: () => ({ attempt: 2 }),
  }),
  (id) => ({
    child: control(id, 'delay', { forMs: '{{ loop.item * 10 }}' }),
    output: () => ({ resumedAt: expect.any(String) }),
  }),
];

const forEachs: fc.Arbitrary<(id: string) => Made> = fc
  .tuple(fc.constantFrom(...bodies), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 3 }))
  .map(([body, count, concurrency]) => (id) => {
    const items = Array.from({ length: count }, (_, index) => index);
    const { child, output } = body(`${id}c`);
    return {
      node: control(id, 'forEach', { items, concurrency }),
      children: [{ ...child, parentId: id }],
      handles: [undefined],
      outcome: completed(id),
      output: items.map(output),
    };
  });

/** The item whose child fails, and what that does to the others. */
const failingLoops: fc.Arbitrary<(id: string) => Made> = fc
  .tuple(fc.constantFrom('stop', 'continue'), fc.integer({ min: 0, max: 3 }), onError)
  .map(([onItemError, at, how]) => (id) => {
    const child = action(`${id}c`, 'core.assert', { condition: `{{ loop.index != ${at} }}` });
    return {
      node: control(id, 'forEach', { items: [0, 1, 2, 3], onItemError }, { onError: how }),
      children: [{ ...child, parentId: id }],
      handles: plainOrError(how),
      ...(onItemError === 'stop' ? { outcome: failed(id) } : { outcome: completed(id), output: expect.any(Array) }),
    };
  });

const repeats: fc.Arbitrary<(id: string) => Made> = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.boolean())
  .map(([times, remote]) => (id) => ({
    node: control(id, 'repeat', { times }),
    children: [
      {
        ...(remote
          ? action(`${id}c`, 'testing.succeed', { output: '{{ loop.index }}' })
          : action(`${id}c`, 'core.transform', { value: '{{ loop.index }}' })),
        parentId: id,
      },
    ],
    handles: [undefined],
    outcome: completed(id),
    output: Array.from({ length: times }, (_, index) => index),
  }));

const stops: fc.Arbitrary<(id: string) => Made> = fc
  .constantFrom<'completed' | 'failed'>('completed', 'failed')
  .map((outcome) => (id) => ({
    node: control(id, 'stop', { outcome, output: { stopped: id } }),
    handles: [],
    outcome: { nodeId: id, status: 'COMPLETED', stop: outcome },
  }));

/** `wait`: nobody answers, and the step fails; `expire`: likewise, and the way `expired` is taken. */
function questionOf(id: string, what: 'answer' | 'wait' | 'expire' | 'cancel'): Made {
  const fields: JsonObject[] = [{ key: 'said', label: 'Said', type: 'text', required: true }];
  const expires = what === 'wait' || what === 'expire';
  const node = control(
    id,
    'input',
    { fields, ...(expires ? { expiresInMs: 150 } : {}) },
    {
      onError: what === 'wait' ? 'continue' : 'fail',
    },
  );
  return {
    node,
    handles: what === 'expire' ? ['expired'] : [undefined],
    answer: expires ? 'wait' : what,
    outcome: what === 'wait' ? failed(id) : completed(id, what === 'expire' ? 'expired' : undefined),
    ...(what === 'expire' ? { output: null } : {}),
  };
}

/** A call of a server outside, which counts it; `first=503` fails the first call of its path. */
function effects(url: string): fc.Arbitrary<(id: string) => Made> {
  return fc.boolean().map((fails) => (id) => {
    const path = `/{{ execution.id }}/${id}`;
    const inputs = { method: 'POST', url: `${url}${path}${fails ? '?first=503' : ''}` };
    return {
      node: action(id, 'http.request', inputs, { retry: { maximumAttempts: 4, initialIntervalMs: 200 } }),
      handles: [undefined],
      outcome: completed(id),
      output: expect.objectContaining({ status: 200, body: { done: id } }),
    };
  });
}

/** Takes its time, so that something may die meanwhile. */
const slow: fc.Arbitrary<(id: string) => Made> = fc.integer({ min: 0, max: 3_000 }).map((ms) => (id) => ({
  node: action(id, 'testing.wait', { ms }),
  handles: [undefined],
  outcome: completed(id),
  output: { waitedMs: expect.any(Number) },
}));

export interface RandomGraphOptions {
  /** Of a server whose calls are counted (test/chaos/effects.ts); with it come steps that call it, and slow ones. */
  effectsUrl?: string;
}

/** Graphs of up to 14 nodes in which every kind of node, failure, retry and question occurs. */
export function randomGraphs({ effectsUrl }: RandomGraphOptions = {}): fc.Arbitrary<RandomGraph> {
  const all = [...makers, delays, forEachs, failingLoops, repeats];
  const usual = effectsUrl === undefined ? all : [...all, effects(effectsUrl), effects(effectsUrl), slow];
  return graphsOf(fc.oneof({ weight: 30, arbitrary: fc.oneof(...usual) }, { weight: 1, arbitrary: stops }));
}

const graphsOf = (made: fc.Arbitrary<(id: string) => Made>): fc.Arbitrary<RandomGraph> =>
  fc
    .array(
      fc.record({
        made,
        sources: fc.array(fc.nat(), { maxLength: 3 }),
        ways: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      }),
      {
        minLength: 1,
        maxLength: 14,
      },
    )
    .map((specs) => {
      const nodes = specs.map((spec, index) => spec.made(`n${index}`));
      const texts = specs.flatMap(({ sources, ways }, index) => {
        const earlier = index === 0 ? [] : [...new Set(sources.map((source) => source % index))];
        return earlier.flatMap((source, which) => {
          const handles = nodes[source]?.handles ?? [];
          if (handles.length === 0) return [];
          const handle = handles[(ways[which] ?? 0) % handles.length];
          return [`n${source}${handle === undefined ? '' : `:${handle}`}>n${index}`];
        });
      });
      // A question leaves by `expired` only where an edge does; without one its step would fail.
      const led = texts.map((text) => text.split('>')[0]);
      for (const each of nodes) {
        const { id, type } = each.node;
        if (type === 'input' && each.handles[0] === 'expired' && !led.includes(`${id}:expired`)) {
          Object.assign(each, { ...questionOf(id, 'wait'), handles: each.handles });
          delete each.output;
        }
      }
      return {
        graph: { nodes: nodes.flatMap(({ node, children = [] }) => [node, ...children]), edges: edges(...texts) },
        expected: new Map(nodes.map(({ node, outcome, output }) => [node.id, { outcome, output }])),
        answers: new Map(nodes.flatMap(({ node, answer }) => (answer ? [[node.id, answer] as const] : []))),
      };
    });
