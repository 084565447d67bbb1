import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../session.ts';
import { pagesOf } from './pages.ts';

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
