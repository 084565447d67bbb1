import fc from 'fast-check';
import type { JsonObject } from '../../domain/json.ts';
import type { Edge, Node } from '../../domain/workflow/definition.ts';
import { action, chain, control } from '../setup/workspace/graph.ts';

/** A random workflow that calls a server. Some calls fail at first, inside loops and sub-workflows, too. */
export type Shape =
  /** `check`: an inline node, which fails while the variable `bad` names it; `sub`: two calls. */
  | { kind: 'call' | 'check' | 'sub' }
  | { kind: 'loop'; type: 'forEach' | 'repeat'; count: number; concurrency: number; goesOn: boolean; body: Shape[] };

const leaves: fc.Arbitrary<Shape> = fc.constantFrom<Shape[]>(
  { kind: 'call' },
  { kind: 'call' },
  { kind: 'check' },
  { kind: 'sub' },
);

function loops(depth: number): fc.Arbitrary<Shape> {
  return fc.record({
    kind: fc.constant('loop' as const),
    type: fc.constantFrom('forEach' as const, 'forEach' as const, 'repeat' as const),
    count: fc.integer({ min: 1, max: 3 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    goesOn: fc.boolean(),
    body: bodies(depth - 1),
  });
}

function bodies(depth: number): fc.Arbitrary<Shape[]> {
  const one = depth === 0 ? leaves : fc.oneof({ weight: 2, arbitrary: leaves }, { weight: 2, arbitrary: loops(depth) });
  return fc.array(one, { minLength: 1, maxLength: 3 });
}

/** At the top a loop with up to two levels inside, and a call before and after it. */
export const shapes: fc.Arbitrary<Shape[]> = loops(3).map((loop) => [{ kind: 'call' }, loop, { kind: 'call' }]);

/** The node, and the indices of the loops around it. */
export const nameOf = (id: string, at: readonly number[]) => [id, ...at].join('-');

type Output = (at: number[]) => unknown;

export interface MadeShape {
  nodes: Node[];
  edges: Edge[];
  /** Names of its calls; in sub-workflows they begin with `one-` and `two-`. */
  calls: string[];
  checks: string[];
  /** Outputs of the top-level nodes once nothing fails; those of calls are their names. */
  outputs: unknown[];
  /** Nodes after a loop in their scope or in an enclosing one, and in an iteration after one with a loop. */
  behindLoops: Set<string>;
}

export function makeShape(shape: readonly Shape[], url: string, sub: string): MadeShape {
  const made: MadeShape = { nodes: [], edges: [], calls: [], checks: [], outputs: [], behindLoops: new Set() };
  made.outputs = scope(shape, 'n', [], [[]], false).map((output) => output([]));
  return made;

  /** Sequential nodes inside these loops, which run at these indices. */
  function scope(
    body: readonly Shape[],
    prefix: string,
    around: string[],
    places: number[][],
    behind: boolean,
  ): Output[] {
    const ids = body.map((_, index) => `${prefix}${index}`);
    made.edges.push(...chain(...ids).map((edge) => ({ ...edge, id: `${prefix}${edge.id}` })));
    return body.map((each, index) => {
      const id = ids[index] as string;
      const isBehind = behind || body.slice(0, index).some(({ kind }) => kind === 'loop');
      if (isBehind) made.behindLoops.add(id);
      return one(each, id, around, places, isBehind);
    });
  }

  function one(shape: Shape, id: string, around: string[], places: number[][], behind: boolean): Output {
    const parent = around.length === 0 ? {} : { parentId: around.at(-1) as string };
    const names = places.map((at) => nameOf(id, at));
    const name = [id, ...around.map((loop) => `{{ loops.${loop}.index }}`)].join('-');
    switch (shape.kind) {
      case 'call':
        made.nodes.push(action(id, 'http.request', { method: 'POST', url: `${url}/${name}` }, parent));
        made.calls.push(...names);
        return (at) => nameOf(id, at);
      case 'check': {
        const text = [`"${id}"`, ...around.map((loop) => `string(loops.${loop}.index)`)].join(' + "-" + ');
        made.nodes.push(action(id, 'core.assert', { condition: `{{ !((${text}) in variables.bad) }}` }, parent));
        made.checks.push(...names);
        return () => 'checked';
      }
      case 'sub':
        made.nodes.push(control(id, 'runWorkflow', { workflowId: sub, input: { name } }, parent));
        made.calls.push(...names.flatMap((each) => [`one-${each}`, `two-${each}`]));
        return (at) => `two-${nameOf(id, at)}`;
      case 'loop': {
        const { type, count, concurrency, goesOn, body } = shape;
        const indices = Array.from({ length: count }, (_, index) => index);
        const onItemError = goesOn ? 'continue' : 'stop';
        const inputs: JsonObject = type === 'forEach' ? { items: indices, concurrency, onItemError } : { times: count };
        made.nodes.push(control(id, type, inputs, parent));
        const inner = places.flatMap((at) => indices.map((index) => [...at, index]));
        // Iterations of a repeat are sequential: if items inside one run again, so do the later ones.
        const isBehind = behind || (type === 'repeat' && body.some(({ kind }) => kind === 'loop'));
        const output = scope(body, `${id}x`, [...around, id], inner, isBehind).at(-1) as Output;
        return (at) => indices.map((index) => output([...at, index]));
      }
    }
  }
}

/** How often a call or check fails before it succeeds: rarely, and rarely twice. */
export function failuresOf(name: string, seed: number): number {
  let hash = seed;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  // Without this, nearly all names of one node would fail, or nearly none.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  const chance = (hash ^ (hash >>> 13)) % 16;
  return chance === 0 ? 2 : chance <= 2 ? 1 : 0;
}
