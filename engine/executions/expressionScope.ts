import type { ScopeRef } from '../../domain/execution/activityCalls.ts';
import { iterationParts } from '../../domain/execution/iteration.ts';
import type { LoopScope, Scope, StepScope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import type { ContextSelection, RecordedStep, RunContext } from '../../prisma/store/execution/runContext.ts';
import type { CredentialVault } from '../secrets/credentialVault.ts';
import { addLinks } from './linksInScope.ts';
import { openedVariables } from './openedVariables.ts';
import type { QuestionLinks } from './questionLinks.ts';

export interface ScopeParts {
  vault: CredentialVault;
  links: QuestionLinks;
}

export function expressionScope(
  services: ScopeParts,
  definition: CompiledDefinition,
  ref: ScopeRef,
  context: RunContext,
): Scope {
  const { executionId, iteration = '' } = ref;
  const steps = stepScopes(context.steps);
  addLinks(services, definition, ref, steps);
  const loops: Record<string, LoopScope> = {};
  for (const { loopId, index } of iterationParts(iteration)) {
    const { item, total = null } = ownMember(context.loops ?? {}, loopId) ?? {};
    setKey(loops, loopId, { index, ...(item === undefined ? {} : { item }), ...(total === null ? {} : { total }) });
  }
  const loop = Object.values(loops).at(-1);
  return {
    ...(loop ? { loop, loops } : {}),
    trigger: context.trigger,
    ...openedVariables(services.vault, context),
    steps,
    execution: {
      id: executionId,
      number: context.number,
      startedAt: context.startedAt,
      workflowId: context.workflowId ?? '',
      workflowName: context.name,
    },
  };
}

export function stepScopes(recorded: Record<string, RecordedStep>): Record<string, StepScope> {
  const steps: Record<string, StepScope> = {};
  for (const [nodeId, { status, output, error }] of Object.entries(recorded)) {
    if (status === 'COMPLETED' || status === 'FAILED') setKey(steps, nodeId, stepScope(output, error ?? undefined));
  }
  return steps;
}

export function stepScope(output: Json, error?: StepScope['error']): StepScope {
  if (!error) return { output };
  const { code, message, cause } = error;
  return { output, error: { code, message, ...(cause ? { cause } : {}) } };
}

/** Selects the rows to read: the nodes' own steps, those that they reference, and the enclosing loops. */
export function contextFor(
  definition: CompiledDefinition,
  nodes: CompiledNode[],
  { iteration, forOutput = false }: { iteration?: string | undefined; forOutput?: boolean },
): ContextSelection {
  const references = nodes.map((node) => node.references);
  if (forOutput && definition.output) references.push(definition.output.references);
  const loops = references.some((each) => each.loop || each.loops.size > 0);
  const forWorker = nodes.some(({ action }) => action?.placement === 'worker');
  if (references.some((reference) => reference.allSteps)) return { steps: 'all', iteration, loops, forWorker };
  const ids = [...nodes.map((node) => node.node.id), ...references.flatMap((each) => [...each.steps])];
  return { steps: [...new Set(ids)], iteration, loops, forWorker };
}
