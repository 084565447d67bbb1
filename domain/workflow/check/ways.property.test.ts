import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NOTHING_DONE, type Progress } from '../../execution/progress.ts';
import { apply, begin, ready } from '../../execution/reducer.ts';
import { ExpressionError } from '../../expression/expressionError.ts';
import type { Scope } from '../../expression/scope.ts';
import type { Json } from '../../json.ts';
import { type CompiledDefinition, type CompiledNode, compileDefinition } from '../compile.ts';
import { decideCondition, decideSwitch } from '../control.ts';
import type { Definition, NodeType } from '../definition.ts';
import { upstreamOf } from '../graph.ts';
import { catalogue, context, edge, node } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

/** `WAYS_RUNS=20000 npm test -- domain/workflow/check/ways` is the long form. */
const RUNS = Number(process.env.WAYS_RUNS ?? 150);

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

interface Spec {
  kind: Kind;
  text: number;
  read: number;
  reads: [number, number];
  onError: 'fail' | 'continue' | 'route';
  sources: [number, number][];
}

const specs: fc.Arbitrary<Spec[]> = fc.array(
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

/** Nodes read only steps before them, since the others are reported as such. */
function graphOf(all: readonly Spec[]): object {
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
  const nodes = all.map(({ kind, text, read, reads, onError }, index) => {
    const id = `n${index}`;
    const before = kinds.map((_, at) => `n${at}`).filter((other, at) => isUpstream(id, other) && kinds[at] !== 'stop');
    const named = (source: string) => {
      if (before.length === 0) return source.includes('steps') ? 'true' : source;
      return source.replaceAll(/\bS\b/g, pick(before, reads[0])).replaceAll(/\bT\b/g, pick(before, reads[1]));
    };
    const more = kind === 'stop' ? {} : { onError };
    switch (kind) {
      case 'action':
        return node(id, { inputs: { url: 'u', body: `{{ ${named(pick(READS, read))} }}` }, ...more });
      case 'condition':
        return { id, type: kind, inputs: { condition: `{{ ${named(pick(CONDITIONS, text))} }}` }, ...more };
      case 'switch': {
        const cases = [
          { name: 'a', when: `{{ ${named(pick(CONDITIONS, text))} }}` },
          { name: 'n', when: `{{ ${named(pick(CONDITIONS, read))} }}` },
        ];
        return { id, type: kind, inputs: { cases }, ...more };
      }
      default:
        return { id, type: kind, inputs: { outcome: 'completed' } };
    }
  });
  return { nodes, edges: distinct };
}

/** The values of one execution: of its trigger, of the outputs, and which steps fail for another reason. */
interface World {
  trigger: Record<string, Json>;
  outputs: Readonly<Record<string, number | null>>;
  failing: ReadonlySet<string>;
}

const SKIPPED = 'that step has not run, or was skipped';

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

function worldsOf({ nodes }: Definition): World[] {
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

const MAX_WORLDS = 400;

test('exactly the reads that fail in some execution are reported', () => {
  const counts = { graphs: 0, withFailures: 0, executions: 0, leftOut: 0 };
  fc.assert(
    fc.property(specs, (all) => {
      const candidate = graphOf(all);
      const { definition, problems } = validateDefinition(candidate, context);
      const others = problems.filter(({ code = 'INVALID' }) => code === 'INVALID');
      if (others.length > 0) throw new Error(JSON.stringify(others));
      const whole =
        definition ?? ({ trigger: { id: 'trigger', type: 'manual', config: {} }, ...candidate } as Definition);
      const worlds = worldsOf(whole);
      if (worlds.length > MAX_WORLDS) {
        counts.leftOut += 1;
        return;
      }
      const compiled = compileDefinition(whole, catalogue);
      const ids = whole.nodes.map(({ id }) => id);
      const isUpstream = upstreamOf(ids, whole.edges);
      const failing = new Set(worlds.flatMap((world) => [...failuresIn(whole, compiled, isUpstream, world)]));
      const reported = new Set(
        problems.filter(({ code }) => code === 'STEP_MAY_BE_SKIPPED').map(({ nodeId }) => nodeId),
      );
      expect([...reported].sort()).toEqual([...failing].sort());
      counts.graphs += 1;
      counts.executions += worlds.length;
      if (failing.size > 0) counts.withFailures += 1;
    }),
    { numRuns: RUNS },
  );
  console.info(JSON.stringify(counts));
});
