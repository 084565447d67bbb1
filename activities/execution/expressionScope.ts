import type { Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import type { RunContext, StepSelection } from '../../prisma/store/execution/runContext.ts';

type StepScope = Scope['steps'][string];

/** What expressions name, from the rows; steps that run now are added to `steps` as they finish. */
export function expressionScope(executionId: string, context: RunContext): Scope {
  const steps: Record<string, StepScope> = {};
  for (const [nodeId, step] of Object.entries(context.steps)) {
    if (step.status === 'COMPLETED' || step.status === 'FAILED') {
      steps[nodeId] = stepScope(step.output, step.error ?? undefined);
    }
  }
  return {
    trigger: context.trigger,
    variables: context.variables,
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

export function stepScope(output: Json, error?: { code: string; message: string }): StepScope {
  return error ? { output, error: { code: error.code, message: error.message } } : { output };
}

/** Which steps' rows these nodes can name, themselves included. */
export function stepsToRead(definition: CompiledDefinition, nodes: CompiledNode[], forOutput: boolean): StepSelection {
  const references = nodes.map((node) => node.references);
  if (forOutput && definition.output) references.push(definition.output.references);
  if (references.some((reference) => reference.allSteps)) return 'all';
  return [...new Set([...nodes.map((node) => node.node.id), ...references.flatMap((each) => [...each.steps])])];
}
