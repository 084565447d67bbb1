import fc from 'fast-check';
import type { Plan, PlanNode } from '../workflow/plan.ts';
import type { Outcome } from './outcome.ts';
import type { Progress } from './progress.ts';
import { apply, begin, openNodes, ready } from './reducer.ts';

export function node(id: string, more: Partial<PlanNode> = {}): PlanNode {
  return { id, type: 'action', label: id, placement: 'inline', ...more };
}

export function plan(nodes: PlanNode[], ...edges: [from: string, to: string, handle?: string][]): Plan {
  return {
    nodes,
    edges: edges.map(([from, to, handle]) => (handle === undefined ? { from, to } : { from, to, handle })),
  };
}

export const done = (nodeId: string, handle?: string): Outcome =>
  handle === undefined ? { nodeId, status: 'COMPLETED' } : { nodeId, status: 'COMPLETED', handle };
export const failure = (nodeId: string): Outcome => ({ nodeId, status: 'FAILED', code: 'BROKEN' });

export function readyIds(of: Plan, progress: Progress): string[] {
  return ready(of, progress).map(({ id }) => id);
}

interface Spec {
  sources: number[];
  kind: 'plain' | 'condition' | 'continue' | 'route' | 'breaks';
  fails: boolean;
  handle: string;
}

export interface RandomPlan {
  of: Plan;
  /** Outcomes by node: in the first run, and with all failing nodes fixed, so that nothing ends the execution early. */
  broken: Map<string, Outcome>;
  mended: Map<string, Outcome>;
}

export const randomPlans: fc.Arbitrary<RandomPlan> = fc
  .array(
    fc.record<Spec>({
      sources: fc.array(fc.nat(20), { maxLength: 3 }),
      kind: fc.constantFrom('plain', 'plain', 'condition', 'continue', 'route', 'breaks'),
      fails: fc.boolean(),
      handle: fc.constantFrom('true', 'false'),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((specs) => {
    const nodes = specs.map(({ kind }, index) =>
      node(`n${index}`, kind === 'continue' || kind === 'route' ? { onError: kind } : {}),
    );
    const edges = specs.flatMap(({ sources }, index) =>
      [...new Set(sources.filter((source) => source < index))].map((source): [string, string, string?] => {
        const kind = specs[source]?.kind;
        const handle = kind === 'condition' ? (index % 2 ? 'true' : 'false') : undefined;
        return [`n${source}`, `n${index}`, kind === 'route' && index % 3 === 0 ? 'error' : handle];
      }),
    );
    const outcomes = (isMended: boolean) =>
      new Map(specs.map((spec, index) => [`n${index}`, outcomeOf(`n${index}`, spec, isMended)]));
    return { of: plan(nodes, ...edges), broken: outcomes(false), mended: outcomes(true) };
  });

function outcomeOf(nodeId: string, { kind, fails, handle }: Spec, isMended: boolean): Outcome {
  const isFailed = kind === 'breaks' ? !isMended : fails && (kind === 'continue' || kind === 'route');
  return isFailed ? failure(nodeId) : done(nodeId, kind === 'condition' ? handle : undefined);
}

/** Runs to the end: begins ready nodes, and ends open nodes in the order of `pick`. */
export function runPlan(
  of: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
  from: Progress,
  pick: (open: string[]) => string,
): Progress {
  let progress = from;
  for (let count = 0; count <= of.nodes.length; count += 1) {
    progress = begin(progress, readyIds(of, progress));
    const open = openNodes(progress);
    if (open.length === 0 || progress.ended) return progress;
    progress = apply(of, progress, outcomes.get(pick(open)) as Outcome);
  }
  throw new Error('did not end');
}
