import type { Arguments } from 'perdure-client';
import { ifMatch } from '../../app/api/ifMatch.ts';
import { client } from '../../app/session/session.ts';
import type { VersionWhole, WorkflowRead, WorkflowWhole } from './queries/workflows.ts';
import type { SettingsChange } from './workflowSettings.ts';

export async function pauseOrResume(workflowId: string, how: 'pause' | 'resume'): Promise<number> {
  const given = { path: { workflowId } };
  const { heldExecutions } = how === 'pause' ? await client.pauseWorkflow(given) : await client.resumeWorkflow(given);
  return heldExecutions;
}

/** Changes settings unless somebody else has changed the workflow since it was read (412). */
export const updateWorkflow = ({ workflow, etag }: WorkflowRead, body: SettingsChange) =>
  client.updateWorkflow({ path: { workflowId: workflow.id }, ...ifMatch(etag), body });

export const deleteWorkflow = (workflowId: string) => client.deleteWorkflow({ path: { workflowId } });

/** Stores the definition of a version as the newest one, unless somebody else has changed the workflow (412). */
export function restoreVersion(workflow: WorkflowWhole, etag: string | undefined, version: VersionWhole) {
  const { triggerNode, nodes = [], edges = [], output, labels, notes = [] } = version;
  return client.upsertWorkflow({
    path: { projectId: workflow.project?.id ?? '' },
    ...ifMatch(etag),
    body: {
      ...{ slug: workflow.slug ?? '', name: workflow.name, managedByCode: false },
      ...{ nodes, edges, labels: labels ?? {}, notes },
      ...(triggerNode === undefined ? {} : { trigger: triggerNode }),
      ...(output == null ? {} : { output }),
    },
  });
}

export type Input = NonNullable<Arguments<'executeWorkflow'>['body']>['inputData'];

/** Starts an execution; the same key never starts a second one. */
export const startExecution = (workflowId: string, inputData: Input, idempotencyKey: string) =>
  client.executeWorkflow({ path: { workflowId }, body: { inputData }, idempotencyKey });
