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

/** A start: its workspace, its definition, and what it begins with. */
interface Labelled {
  workspaceId: string;
  definition: Pick<CompiledDefinition, 'labels' | 'trigger'>;
  trigger: Json;
  /** Of what it begins with, the trigger's among them. */
  secrets: readonly KeptSecret[];
}

/**
 * The labels that the definition gives an execution. A label never fails a run: one whose expression fails is left out,
 * and with one that takes too much all after it are. Nothing is awaited where there are none.
 */
export function computedLabels(
  evaluation: Evaluation,
  { workspaceId, definition, trigger, secrets }: Labelled,
): Labels | Promise<Labels> {
  const { labels } = definition;
  if (!labels) return NO_LABELS;
  const texts = secrets.filter((each) => typeof each === 'string');
  // Labels stand in the engine, where nobody masks them.
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

/**
 * Executions whose start did not know its trigger: items that a statement took from a queue. Their labels are stored
 * before the engine has them; if the process dies between, the reconciler comes by here as it starts them.
 */
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

/** The same for one whose row alone is known. */
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
