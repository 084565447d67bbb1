import { queryOptions } from '@tanstack/react-query';
import type { components } from 'perdure-client';
import { client } from '../session.ts';
import type { ExecutionWhole } from './executions.ts';
import { oneVersion } from './versions.ts';

type Field = components['schemas']['Field'];

/** The value of the trigger with which an execution was started, where it is large too. Secrets are masked. */
export function startedWith({ id, input }: ExecutionWhole) {
  return queryOptions({
    queryKey: ['getExecutionInput', id],
    queryFn: async ({ signal }): Promise<unknown> =>
      (input ?? (await client.getExecutionInput({ path: { executionId: id }, signal }))).trigger,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The fields of the manual trigger of this version, or of the newest; none where it starts otherwise. */
export function triggerFields(workflowId: string, version: number | 'latest') {
  return queryOptions({
    queryKey: ['triggerFields', workflowId, version],
    queryFn: async ({ client: queries, signal }): Promise<readonly Field[]> => {
      const { triggerNode } =
        version === 'latest'
          ? await client.getWorkflow({ path: { workflowId }, query: { expansion: 'triggerNode' }, signal })
          : await queries.ensureQueryData(oneVersion(workflowId, version));
      return triggerNode?.type === 'manual' ? (triggerNode.config.fields ?? []) : [];
    },
  });
}
