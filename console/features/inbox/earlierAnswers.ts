import type { components } from 'perdure-client';
import type { ExecutionStep } from '../executions/queries/executions.ts';
import { readableText } from '../values/readableText.ts';

type Field = components['schemas']['Field'];
type Node = components['schemas']['Node'];
type Iteration = ExecutionStep['iteration'];

export interface EarlierAnswer {
  stepId: string;
  label: string;
  by: string | undefined;
  at: string | undefined;
  values: { label: string; value: string }[];
}

/** Members of an answer that are not values of its fields. */
const NOTES = new Set(['submittedAt', 'submittedBy', 'submissions']);

/** Returns the earlier answers in an execution, oldest first; in a loop only those of the question's iteration. */
export function earlierAnswers(
  nodes: readonly Node[],
  steps: readonly ExecutionStep[],
  iteration: Iteration,
): EarlierAnswer[] {
  const questions = new Map(nodes.filter(({ type }) => type === 'input').map((node) => [node.id, node]));
  return steps
    .filter((step) => step.status === 'COMPLETED' && questions.has(step.nodeId) && isAround(step.iteration, iteration))
    .map((step) => {
      const output = asObject(step.output);
      const fields = fieldsOf(step.input) ?? fieldsOf(questions.get(step.nodeId)?.inputs) ?? [];
      const known = new Map(fields.map((field) => [field.key, field]));
      const by = asObject(output.submittedBy).name;
      return {
        stepId: step.id,
        label: step.label,
        by: typeof by === 'string' ? by : undefined,
        at: typeof output.submittedAt === 'string' ? output.submittedAt : (step.stoppedAt ?? undefined),
        // In the order of the form, because the database does not keep the order of an object's keys.
        values: [...new Set([...known.keys(), ...Object.keys(output)])]
          .filter((key) => !NOTES.has(key) && known.get(key)?.type !== 'secret')
          .filter((key) => output[key] !== undefined && output[key] !== null && output[key] !== '')
          .map((key) => ({ label: known.get(key)?.label ?? key, value: readableText(output[key], known.get(key)) })),
      };
    });
}

function isAround(of: Iteration, place: Iteration): boolean {
  return of.every(({ nodeId, index }, at) => place[at]?.nodeId === nodeId && place[at].index === index);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function fieldsOf(inputs: unknown): Field[] | undefined {
  const { fields } = asObject(inputs);
  return Array.isArray(fields) ? (fields as Field[]) : undefined;
}
