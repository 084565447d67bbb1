import type { KeptSecret } from '../../domain/execution/keptSecret.ts';
import { labelOf } from '../../domain/execution/labelOf.ts';
import { type Labels, NO_LABELS } from '../../domain/execution/labels.ts';
import { triggerSecrets } from '../../domain/execution/secretTexts.ts';
import { shownTrigger } from '../../domain/execution/shownTrigger.ts';
import type { CompiledValue } from '../../domain/expression/compiledValue.ts';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import { readTriggers, storeLabels } from '../../prisma/store/execution/computedLabels.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';

export interface Labelled {
  workspaceId: string;
  definition: Pick<CompiledDefinition, 'labels' | 'trigger'>;
  trigger: Json;
  secrets: readonly KeptSecret[];
}

/** Leaves out a label that fails, and from the first one beyond the limit on all: a label never fails a run. */
export function computedLabels(
  evaluation: Evaluation,
  { workspaceId, definition, trigger, secrets }: Labelled,
): Labels | Promise<Labels> {
  const { labels } = definition;
  if (!labels) return NO_LABELS;
  const texts = secrets.filter((each) => typeof each === 'string');
  // Labels are stored in the engine, which does not mask them.
  const scope = { trigger: shownTrigger(definition.trigger.type, trigger) };
  return evaluated(labels, texts, (compiled) => evaluation.value(workspaceId, compiled, scope as unknown as Scope));
}

async function evaluated(
  labels: ReadonlyMap<string, CompiledValue>,
  secrets: readonly string[],
  evaluate: (compiled: CompiledValue) => Json | Promise<Json>,
): Promise<Labels> {
  const found: Record<string, string> = {};
  for (const [key, compiled] of labels) {
    try {
      const label = labelOf(await evaluate(compiled), secrets);
      if (label !== undefined) found[key] = label;
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === 'EXPRESSION_LIMIT') break;
    }
  }
  return found;
}

/** For queue items, whose start did not know the trigger. If the process dies first, the reconciler repeats it. */
export async function lateLabels(
  { database, evaluation }: { database: Database; evaluation: Evaluation },
  workspaceId: string,
  definition: CompiledDefinition,
  executions: readonly { executionId: string; trigger: Json }[],
): Promise<Map<string, Labels>> {
  const labels = new Map<string, Labels>();
  for (const { executionId, trigger } of executions) {
    const secrets = triggerSecrets(definition.trigger, trigger);
    labels.set(executionId, await computedLabels(evaluation, { workspaceId, definition, trigger, secrets }));
  }
  await storeLabels(database, workspaceId, labels);
  return labels;
}

export async function missingLabels(
  parts: { database: Database; evaluation: Evaluation },
  workspaceId: string,
  definition: CompiledDefinition,
  executionId: string,
): Promise<Labels> {
  const executions = await readTriggers(parts.database, workspaceId, [executionId]);
  const labels = await lateLabels(parts, workspaceId, definition, executions);
  return labels.get(executionId) ?? NO_LABELS;
}
