import { queryOptions } from '@tanstack/react-query';
import type { Answer, components } from 'perdure-client';
import { client } from '../../../app/session/session.ts';

type Field = components['schemas']['Field'];

import { pagesOf } from '../../../app/api/pages.ts';

export type VersionRow = Answer<'listWorkflowVersions'>[number];
export type VersionWhole = Answer<'getWorkflowVersion'>;

/** Pages of the versions of a workflow, the newest first. */
export const versionPages = (workflowId: string) => pagesOf('listWorkflowVersions', { path: { workflowId } });

/** A version with its definition, which never changes; what is open of it does. */
export function oneVersion(workflowId: string, version: number) {
  return queryOptions({
    queryKey: ['getWorkflowVersion', workflowId, version],
    queryFn: ({ signal }) => client.getWorkflowVersion({ path: { workflowId, version: String(version) }, signal }),
    staleTime: 60_000,
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
