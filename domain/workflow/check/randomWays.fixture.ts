import fc from 'fast-check';
import type { Catalogue } from '../../app/manifest.ts';
import { NOTHING_DONE, type Progress } from '../../execution/progress.ts';
import { apply, begin, ready } from '../../execution/reducer.ts';
import { ExpressionError } from '../../expression/expressionError.ts';
import type { Scope } from '../../expression/scope.ts';
import type { Json } from '../../json.ts';
import { type CompiledDefinition, type CompiledNode, compileDefinition } from '../compile.ts';
import { decideCondition, decideSwitch } from '../control.ts';
import type { Definition, Node, NodeType } from '../definition.ts';
import { upstreamOf } from '../graph.ts';
import { edge } from '../graphs.fixture.ts';

// Random graphs of nodes that read each other, and their executions by the reducer.

/** Reads of the step S, guarded or not. */
const READS = [
  'steps.S.output',
  'steps.S.output == 1',
  '[steps.S.output, trigger.n]',
  'has(steps.S) ? steps.S.output : 0',
  '!has(steps.S) ? steps.S.output : 0',
  'steps.?S.output.orValue(0)',
  'steps.?S.output.orValue(0) == 1 && steps.S.output == 1',
  'has(steps.S) && steps.S.output == 1',
  'steps.S.output == 1 && has(steps.S)',
  '!("S" in steps) || steps.S.output == 1',
  'steps.S.output == 1 || trigger.p',
  'trigger.p ? steps.S.output : 1',
  'trigger.n > 2 && steps.S.output == 1',
  '[1].exists(i, has(steps.S) && steps.S.output == i)',
  'steps.?S.hasValue() ? steps.S.output : steps.T.output',
  '[has(steps.T), steps.S.output]',
];

const CONDITIONS = [
  'trigger.p',
  '!trigger.q',
  'trigger.p && trigger.q',
  'trigger.p ? trigger.q : true',
  'trigger.n > 2',
  '4 >= trigger.n',
  'trigger.n == 3',
  'trigger.kind == "a"',
  'trigger.kind != "b" || trigger.q',
  'has(steps.S)',
  '!has(steps.S)',
  'steps.?S.output.orValue(0) == 1',
  'steps.?S.output.orValue(1) == 1',
  'steps.?S.output.orValue(null) != null',
  'steps.S.output == 1',
  'true',
];

type Kind = 'action' | 'condition' | 'switch' | 'stop';

export interface Spec {
  kind: Kind;
  text: number;
  read: number;
  reads: [number, number];
  onError: 'fail' | 'continue' | 'route';
  sources: [number, number][];
}

export const specs: fc.Arbitrary<Spec[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Kind>('action', 'action', 'action', 'condition', 'condition', 'switch', 'stop'),
    text: fc.nat(),
    read: fc.nat(),
    reads: fc.tuple(fc.nat(), fc.nat()),
    onError: fc.constantFrom('fail' as const, 'fail' as const, 'fail' as const, 'continue' as const, 'route' as const),
    sources: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 4, maxLength: 8 },
);

function pick<T>(list: readonly T[], at: number): T {
  return list[at % list.length] as T;
}

const HANDLES: Record<Kind, (string | undefined)[]> = {
  action: [undefined],
  condition: ['true', 'false'],
  switch: ['a', 'n', 'default'],
  stop: [],
};

/** Makes the nodes from what they read. */
export interface Texts {
  action(id: string, read: string, canFail: boolean): Pick<Node, 'appId' | 'actionId' | 'inputs'>;
  decision(id: string, condition: string, canFail: boolean): string;
  /** Whether others read the output of nodes of the kind. */
  isRead(kind: Spec['kind']): boolean;
}

/** Nodes read only steps before them, since the others are reported as such. */
export function graphOf(all: readonly Spec[], texts: Texts): Pick<Definition, 'nodes' | 'edges'> {
  const kinds = all.map(({ kind }) => kind);
  const edges = all.flatMap(({ sources }, index) =>
    sources.flatMap(([from, way]) => {
      if (index === 0) return [];
      const source = from % index;
      const { onError, kind } = all[source] as Spec;
      const handles = [...HANDLES[kind], ...(onError === 'route' && kind !== 'stop' ? ['error'] : [])];
      return handles.length === 0 ? [] : [edge(`n${source}`, `n${index}`, pick(handles, way))];
    }),
  );
  const distinct = [...new Map(edges.map((each) => [JSON.stringify(each), each])).values()];
  const isUpstream = upstreamOf(
    all.map((_, index) => `n${index}`),
    distinct.map((each) => ({ id: '', ...each })),
  );
  const nodes = all.map(({ kind, text, read, reads, onError }, index): Node => {
    const id = `n${index}`;
    const before = kinds
      .map((_, at) => `n${at}`)
      .filter((other, at) => isUpstream(id, other) && texts.isRead(kinds[at] as Kind));
    const named = (source: string) => {
      if (before.length === 0) return source.includes('steps') ? 'true' : source;
      return source.replaceAll(/\bS\b/g, pick(before, reads[0])).replaceAll(/\bT\b/g, pick(before, reads[1]));
    };
    const more = kind === 'stop' ? {} : { onError };
    const canFail = onError !== 'fail';
    const decision = (at: number) => `{{ ${texts.decision(id, named(pick(CONDITIONS, at)), canFail)} }}`;
    switch (kind) {
      case 'action':
        return { id, type: kind, ...texts.action(id, named(pick(READS, read)), canFail), ...more };
      case 'condition':
        return { id, type: kind, inputs: { condition: decision(text) }, ...more };
      case 'switch': {
        const cases = [
          { name: 'a', when: decision(text) },
          { name: 'n', when: decision(read) },
        ];
        return { id, type: kind, inputs: { cases }, ...more };
      }
      default:
        return { id, type: kind, inputs: { outcome: 'completed' } };
    }
  });
  return { nodes, edges: distinct.map((each, index) => ({ id: `e${index}`, ...each })) };
}

/** The values of one execution: of its trigger, of the outputs, and which steps fail for another reason. */
export interface World {
  trigger: Record<string, Json>;
  outputs: Readonly<Record<string, number | null>>;
  failing: ReadonlySet<string>;
}

export const SKIPPED = 'that step has not run, or was skipped';

/**
 * Runs the definition by the reducer of executions, and returns the nodes that failed because a step was skipped. A node
 * that ends the execution is left open instead, so that every order of parallel branches is covered; a stop node comes
 * first where it waits for nothing that another node does not wait for.
 */
function failuresIn(
  definition: Definition,
  compiled: CompiledDefinition,
  isUpstream: (node: string, other: string) => boolean,
  { trigger, outputs, failing }: World,
): Set<string> {
  const found = new Set<string>();
  const isBefore = (stop: string, id: string) =>
    definition.edges.every(({ source, target }) => target !== stop || isUpstream(id, source));
  const steps: Scope['steps'] = {};
  const execution = { id: '', number: 1, startedAt: '', workflowId: '', workflowName: '' };
  const scope: Scope = { trigger, steps, variables: {}, execution };
  const held = new Set<string>();
  let progress: Progress = NOTHING_DONE;
  for (;;) {
    const next = ready(compiled.plan, progress).map(({ id }) => id);
    const stops = [...held, ...next].filter((id) => compiled.nodes.get(id)?.node.type === 'stop');
    progress = begin(progress, next);
    for (const stop of stops) held.add(stop);
    const [id] = next.filter((each) => !held.has(each) && !stops.some((stop) => isBefore(stop, each)));
    for (const each of next)
      if (each !== id && !held.has(each)) progress = withoutOpen(progress, each, stops, isBefore);
    if (id === undefined) return found;
    progress = run(id);
  }

  function run(id: string): Progress {
    const one = compiled.nodes.get(id);
    if (!one) throw new Error(id);
    const { onError = 'fail' } = one.node;
    const handle = attempt(one);
    if (typeof handle === 'string') {
      steps[id] = { output: outputs[id] === undefined ? 1 : outputs[id] };
      return apply(compiled.plan, progress, { nodeId: id, status: 'COMPLETED', ...(handle === '' ? {} : { handle }) });
    }
    if (onError === 'fail') return progress;
    steps[id] = { output: null, error: { code: '', message: '' } };
    return apply(compiled.plan, progress, { nodeId: id, status: 'FAILED', code: '' });
  }

  /** Returns the handle, an empty text for the plain way; undefined for a failure. */
  function attempt(one: CompiledNode): string | undefined {
    const { id, type, onError = 'fail' } = one.node;
    try {
      const handle = decided(one, type);
      return onError !== 'fail' && failing.has(id) ? undefined : handle;
    } catch (error) {
      if (!(error instanceof ExpressionError) || !error.message.includes(SKIPPED)) throw error;
      found.add(id);
      return undefined;
    }
  }

  function decided(one: CompiledNode, type: NodeType): string {
    if (type === 'condition') return String(decideCondition(one, scope));
    if (type === 'switch') return decideSwitch(one, scope);
    one.inputs.evaluate(scope);
    return '';
  }
}

/** A node that has to wait its turn is begun in a later round. */
function withoutOpen(
  progress: Progress,
  id: string,
  stops: readonly string[],
  isBefore: (stop: string, id: string) => boolean,
): Progress {
  if (stops.some((stop) => isBefore(stop, id))) return progress;
  const { [id]: _, ...nodes } = progress.nodes;
  return { ...progress, nodes };
}

export function worldsOf({ nodes }: Definition): World[] {
  const text = JSON.stringify(nodes);
  const flags = (name: string) => (text.includes(`trigger.${name}`) ? [true, false] : [true]);
  const numbers = text.includes('trigger.n') ? [2, 3, 5] : [3];
  const kinds = text.includes('trigger.kind') ? ['a', 'b'] : ['a'];
  const compared = nodes
    .map(({ id }) => id)
    .filter((id) => text.includes(`steps.${id}.output == 1`) || text.includes(`steps.?${id}.output.`));
  const mayFail = nodes.filter(({ onError = 'fail' }) => onError !== 'fail').map(({ id }) => id);
  let worlds: World[] = flags('p').flatMap((p) =>
    flags('q').flatMap((q) =>
      numbers.flatMap((n) =>
        kinds.map((kind) => ({ trigger: { p, q, n, kind }, outputs: {}, failing: new Set<string>() })),
      ),
    ),
  );
  for (const id of compared)
    worlds = worlds.flatMap((each) =>
      [0, 1, null].map((output) => ({ ...each, outputs: { ...each.outputs, [id]: output } })),
    );
  for (const id of mayFail)
    worlds = worlds.flatMap((each) => [each, { ...each, failing: new Set([...each.failing, id]) }]);
  return worlds;
}

/** Returns a function that runs the definition in a world, and returns the nodes that fail because a step was skipped. */
export function failuresOf(definition: Definition, catalogue: Catalogue): (world: World) => Set<string> {
  const compiled = compileDefinition(definition, catalogue);
  const ids = definition.nodes.map(({ id }) => id);
  const isUpstream = upstreamOf(ids, definition.edges);
  return (world) => failuresIn(definition, compiled, isUpstream, world);
}
