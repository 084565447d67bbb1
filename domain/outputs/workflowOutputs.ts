import type { Catalogue } from '../app/manifest.ts';
import type { Definition } from '../workflow/definition.ts';
import { upstreamOf } from '../workflow/graph.ts';
import { planOf } from '../workflow/planOf.ts';
import { scopePlan } from '../workflow/scopePlan.ts';
import { type ScopeEnd, scopeEnds } from './scopeEnds.ts';
import { StepOutputs } from './stepOutputs.ts';
import { templateSchema } from './templateSchema.ts';
import { bounded, listOf, NULL, objectOf, oneOf, UNKNOWN, type ValueSchema } from './valueSchema.ts';

export interface StepOutput {
  schema: ValueSchema;
  always: boolean;
}

export interface WorkflowOutputs {
  output: ValueSchema;
  /** By node, including those in loops, whose output is a list with an entry for each run. */
  steps: ReadonlyMap<string, StepOutput>;
}

/** The definitions, by slug, must come from validateDefinition. `slugById` resolves the ids in them. */
export function workflowOutputs(
  definitions: ReadonlyMap<string, Definition>,
  slugById: ReadonlyMap<string, string>,
  catalogue: Catalogue,
): Map<string, WorkflowOutputs> {
  const known = new Map<string, WorkflowOutputs>();
  const open = new Set<string>();
  const of = (slug: string): WorkflowOutputs | undefined => {
    const before = known.get(slug);
    const definition = definitions.get(slug);
    // Nothing is known about the first workflow of a circle.
    if (before || !definition || open.has(slug)) return before;
    open.add(slug);
    const outputOf = (by: 'slug' | 'workflowId', name: string) =>
      of((by === 'slug' ? name : slugById.get(name)) ?? '')?.output ?? UNKNOWN;
    const outputs = outputsOf(definition, catalogue, outputOf);
    open.delete(slug);
    known.set(slug, outputs);
    return outputs;
  };
  for (const slug of [...definitions.keys()].sort()) of(slug);
  return known;
}

function outputsOf(
  definition: Definition,
  catalogue: Catalogue,
  outputOf: (by: 'slug' | 'workflowId', name: string) => ValueSchema,
): WorkflowOutputs {
  const plan = planOf(definition, catalogue);
  const ends = new Map<string | undefined, ScopeEnd[] | undefined>();
  const endsIn = (loopId: string | undefined) => {
    if (!ends.has(loopId)) ends.set(loopId, scopeEnds(scopePlan(plan, loopId), definition));
    return ends.get(loopId);
  };
  const steps: StepOutputs = new StepOutputs(definition, {
    catalogue,
    outputOf,
    iterationOf: (loopId) => lastOutput(endsIn(loopId), steps),
  });
  steps.learnAll();
  return {
    output: outputSchema(definition, endsIn(undefined), steps),
    steps: stepsOf(definition, endsIn(undefined), steps),
  };
}

function outputSchema(definition: Definition, ends: ScopeEnd[] | undefined, steps: StepOutputs): ValueSchema {
  const { output, nodes } = definition;
  const byStop = nodes.filter(({ type, inputs }) => type === 'stop' && inputs?.outcome !== 'failed');
  const stopped = byStop.map(({ id }) => steps.of(id));
  // If only a stop node can end the execution, the output of the other nodes is irrelevant.
  const isOnlyStopped = ends !== undefined && ends.length > 0 && ends.every(({ stoppedBy }) => stoppedBy !== undefined);
  const finished =
    output === undefined || output === null ? lastOutput(ends, steps) : templateSchema(output, steps.namesIn());
  return bounded(oneOf(isOnlyStopped ? stopped : [finished, ...stopped]));
}

/** Returns the output of the only last step, or an object with the outputs of several last steps by node. */
function lastOutput(ends: ScopeEnd[] | undefined, steps: StepOutputs): ValueSchema {
  if (ends === undefined) return UNKNOWN;
  const outputs = ends
    .filter(({ stoppedBy }) => stoppedBy === undefined)
    .map(({ last, completed }) => {
      const each = last.map((id) => [id, completed.get(id) === 'expired' ? NULL : steps.of(id)] as const);
      const [only] = each;
      if (only === undefined) return NULL;
      return each.length === 1 ? only[1] : objectOf(Object.fromEntries(each));
    });
  return outputs.length === 0 ? NULL : oneOf(outputs);
}

function stepsOf(
  definition: Definition,
  ends: ScopeEnd[] | undefined,
  steps: StepOutputs,
): ReadonlyMap<string, StepOutput> {
  const { nodes, edges } = definition;
  const isUpstream = upstreamOf(
    nodes.map(({ id }) => id),
    edges,
  );
  const isIn = (id: string, { ran, stoppedBy }: ScopeEnd) =>
    // When a stop node ends the execution, parallel branches may not have run that far.
    ran.has(id) && (stoppedBy === undefined || stoppedBy === id || isUpstream(stoppedBy, id));
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  return new Map(
    nodes
      .filter(({ type }) => type !== 'stop')
      .map(({ id, parentId }): [string, StepOutput] => {
        const top = outermost(id, parents);
        const always = ends !== undefined && ends.length > 0 && ends.every((end) => isIn(top, end));
        const read = steps.read(id);
        return [id, { schema: parentId === undefined ? read : listOf(read), always }];
      }),
  );
}

function outermost(id: string, parents: ReadonlyMap<string, string | undefined>): string {
  const parent = parents.get(id);
  return parent === undefined ? id : outermost(parent, parents);
}
