import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../domain/json.ts';
import type { Node } from '../../domain/workflow/definition.ts';
import { action, control } from '../setup/workspace/graph.ts';
import { completed, failed, type Maker, onError, plainOrError, type Reaction } from './made.ts';
import { questionOf } from './randomNodes.ts';

/** Part of a loop's graph, in one scope. */
interface Body {
  children: Node[];
  inside: string[];
  /** Nodes without predecessors, and nodes without successors. */
  starts: string[];
  ends: string[];
  /** By completed end node. `at`: the indices of the enclosing loops, outermost first. */
  outputs: (at: number[]) => Record<string, unknown>;
  reactions: [string, Reaction][];
}

/** `id` is the prefix of its nodes' ids. */
type BodyMaker = (id: string, loopId: string) => Body;

const last = (at: number[]) => at.at(-1) as number;

function leaf(node: Node, output: (at: number[]) => unknown, reactions: Body['reactions'] = []): Body {
  const { id } = node;
  return {
    children: [node],
    inside: [],
    starts: [id],
    ends: [id],
    outputs: (at) => ({ [id]: output(at) }),
    reactions,
  };
}

const leaves: fc.Arbitrary<BodyMaker> = fc.constantFrom<BodyMaker[]>(
  (id) => leaf(action(id, 'core.transform', { value: '{{ loop.index * 2 }}' }), (at) => last(at) * 2),
  (id, loopId) => leaf(action(id, 'core.transform', { value: `{{ loops.${loopId}.index }}` }), (at) => last(at)),
  (id) => leaf(action(id, 'testing.succeed', { output: '{{ loop.index + 1 }}' }), (at) => last(at) + 1),
  (id) =>
    leaf(action(id, 'testing.fail', { times: 1 }, { retry: { maximumAttempts: 2, initialIntervalMs: 20 } }), () => ({
      attempt: 2,
    })),
  (id) => leaf(control(id, 'delay', { forMs: '{{ loop.index * 10 }}' }), () => ({ resumedAt: expect.any(String) })),
  (id) => leaf(control(id, 'runWorkflow', { slug: 'sub-quick', input: { n: '{{ loop.index }}' } }), (at) => last(at)),
);

const questions: fc.Arbitrary<BodyMaker> = fc.constantFrom<BodyMaker[]>(
  (id) =>
    leaf(questionOf(id, 'answer').node, () => ({ said: expect.any(String), submittedAt: expect.any(String) }), [
      [id, 'answer'],
    ]),
  // A failed node adds no output, even if the execution continues.
  (id) => ({ ...leaf(questionOf(id, 'wait').node, () => null, [[id, 'wait']]), outputs: () => ({}) }),
  (id) => {
    const after = `${id}e`;
    return {
      children: [questionOf(id, 'expire').node, action(after, 'core.transform', { value: '{{ loop.index }}' })],
      inside: [`${id}:expired>${after}`],
      starts: [id],
      ends: [after],
      outputs: (at) => ({ [after]: last(at) }),
      reactions: [[id, 'wait']],
    };
  },
);

/** Sequential or parallel. */
function pair(first: BodyMaker, second: BodyMaker, inARow: boolean): BodyMaker {
  return (id, loopId) => {
    const one = first(`${id}a`, loopId);
    const other = second(`${id}b`, loopId);
    const both = {
      children: [...one.children, ...other.children],
      inside: [...one.inside, ...other.inside],
      reactions: [...one.reactions, ...other.reactions],
    };
    if (!inARow) {
      const outputs = (at: number[]) => ({ ...one.outputs(at), ...other.outputs(at) });
      return { ...both, starts: [...one.starts, ...other.starts], ends: [...one.ends, ...other.ends], outputs };
    }
    const between = one.ends.flatMap((from) => other.starts.map((to) => `${from}>${to}`));
    return {
      ...both,
      inside: [...both.inside, ...between],
      starts: one.starts,
      ends: other.ends,
      outputs: other.outputs,
    };
  };
}

interface LoopSpec {
  type: 'forEach' | 'repeat';
  count: number;
  concurrency: number;
  /** Between two iterations of repeat. */
  pauseMs: number;
}

const loopSpecs = (most: number): fc.Arbitrary<LoopSpec> =>
  fc.record({
    type: fc.constantFrom<LoopSpec['type']>('forEach', 'forEach', 'repeat'),
    count: fc.integer({ min: 0, max: most }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    pauseMs: fc.constantFrom(0, 0, 5),
  });

/** Nested indices: outermost first. */
function loopOf(id: string, { type, count, concurrency, pauseMs }: LoopSpec, make: BodyMaker) {
  const indices = Array.from({ length: count }, (_, index) => index);
  const body = make(`${id}c`, id);
  const inputs: JsonObject =
    type === 'forEach' ? { items: indices, concurrency } : { times: count, ...(pauseMs > 0 ? { pauseMs } : {}) };
  const outputOf = (at: number[]) => {
    const outputs = body.outputs(at);
    const ids = Object.keys(outputs);
    return ids.length === 0 ? null : ids.length === 1 ? outputs[ids[0] as string] : outputs;
  };
  return {
    node: control(id, type, inputs),
    // Nodes of inner loops already have their parent.
    children: body.children.map((child) => ({ ...child, parentId: child.parentId ?? id })),
    inside: body.inside,
    reactions: body.reactions,
    output: (at: number[]) => indices.map((index) => outputOf([...at, index])),
  };
}

function nested(spec: LoopSpec, make: BodyMaker): BodyMaker {
  return (id) => {
    const { node, children, inside, reactions, output } = loopOf(id, spec, make);
    return {
      children: [node, ...children],
      inside,
      starts: [id],
      ends: [id],
      outputs: (at) => ({ [id]: output(at) }),
      reactions,
    };
  };
}

/** `depth`: the maximum of nested loops. */
function bodies(depth: number): fc.Arbitrary<BodyMaker> {
  const small = fc.oneof({ weight: 3, arbitrary: leaves }, { weight: 1, arbitrary: questions });
  const paired = fc.tuple(small, small, fc.boolean()).map((parts) => pair(...parts));
  if (depth === 0) return fc.oneof({ weight: 2, arbitrary: small }, { weight: 1, arbitrary: paired });
  const loop = fc.tuple(loopSpecs(3), bodies(depth - 1)).map((parts) => nested(...parts));
  const beside = fc.tuple(loop, fc.oneof(small, loop), fc.boolean()).map((parts) => pair(...parts));
  return fc.oneof(
    { weight: 3, arbitrary: small },
    { weight: 2, arbitrary: paired },
    { weight: 1, arbitrary: loop },
    { weight: 1, arbitrary: beside },
  );
}

const toMaker = ([spec, make]: [LoopSpec, BodyMaker]): Maker => {
  return (id) => {
    const { output, ...loop } = loopOf(id, spec, make);
    return { ...loop, handles: [undefined], outcome: completed(id), output: output([]) };
  };
};

/** Successful loops: up to three levels, with parallel branches and questions. */
export const goodLoops: fc.Arbitrary<Maker> = fc.tuple(loopSpecs(6), bodies(2)).map(toMaker);

/** More iterations than one workflow runs, so they are divided between child workflows. */
export const longLoops: fc.Arbitrary<Maker> = leaves.map((make) =>
  toMaker([{ type: 'forEach', count: 105, concurrency: 20, pauseMs: 0 }, make]),
);

/** The failing item and the effect on the others, in regions and in workflows. */
export const failingLoops: fc.Arbitrary<Maker> = fc
  .tuple(
    fc.constantFrom('stop', 'continue'),
    fc.integer({ min: 0, max: 3 }),
    onError,
    fc.constantFrom('inRegion', 'inWorkflow', 'nested'),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([onItemError, failsAt, how, where, concurrency]) => (id) => {
    const items = [0, 1, 2, 3];
    const loop = control(id, 'forEach', { items, onItemError, concurrency }, { onError: how });
    const check = action(`${id}c`, 'core.assert', { condition: `{{ loops.${id}.index != ${failsAt} }}` });
    const value = action(`${id}v`, 'core.transform', { value: `{{ loops.${id}.index }}` });
    const inner = control(`${id}i`, 'forEach', { items: [0, 1], concurrency: 2 });
    const remote = action(`${id}r`, 'testing.succeed', { output: true });
    const isNested = where === 'nested';
    const parentId = isNested ? inner.id : id;
    const inLoop = [...(where === 'inRegion' ? [] : [remote]), check, value].map((node) => ({ ...node, parentId }));
    const good = (item: number) => (isNested ? [item, item] : item);
    const output = items.map((item) => (item === failsAt ? { error: expect.any(Object) } : good(item)));
    return {
      node: loop,
      children: [...(isNested ? [{ ...inner, parentId: id }] : []), ...inLoop],
      inside: [...(where === 'inRegion' ? [] : [`${remote.id}>${check.id}`]), `${check.id}>${value.id}`],
      handles: plainOrError(how),
      ...(onItemError === 'stop' ? { outcome: failed(id) } : { outcome: completed(id), output }),
    };
  });
