import { queryOptions } from '@tanstack/react-query';
import type { Json } from '../../../../domain/json.ts';
import { client } from '../../../app/session/session.ts';
import type { Sample } from '../model/scopeOf.ts';

/** Larger outputs, in bytes, are not loaded: a preview needs no file. */
const MAX_BYTES = 500_000;
const MAX_LOADED = 40;

const EXPANSION = [
  'name',
  'status',
  'workflow',
  'executionNumber',
  'startedAt',
  'input',
  'executionPath',
  'executionVariables',
].join(',');

export function sample(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'sample'],
    queryFn: ({ signal }) => readSample(executionId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

async function readSample(executionId: string, signal: AbortSignal): Promise<Sample> {
  const path = { executionId };
  const whole = await client.getExecution({ path, query: { expansion: EXPANSION }, signal });
  const input = whole.inputLink ? await client.getExecutionInput({ path, signal }) : whole.input;
  const far = (whole.executionPath ?? []).filter(
    ({ outputLink, outputBytes }) => outputLink && (outputBytes ?? 0) <= MAX_BYTES,
  );
  const outputs = new Map(
    await Promise.all(
      far.slice(-MAX_LOADED).map(async ({ id }) => {
        const output = await client.getExecutionStepOutput({ path: { executionId, stepId: id }, signal });
        return [id, output] as const;
      }),
    ),
  );
  return {
    executionId,
    trigger: (input?.trigger ?? null) as Json,
    steps: (whole.executionPath ?? []).map((step) => ({ ...step, output: outputs.get(step.id) ?? step.output })),
    variables: (whole.executionVariables ?? {}) as Record<string, Json>,
    execution: {
      id: executionId,
      number: whole.executionNumber ?? 0,
      startedAt: whole.startedAt ?? '',
      workflowId: whole.workflow?.id ?? '',
      workflowName: whole.workflow?.name ?? whole.name ?? '',
    },
  };
}
