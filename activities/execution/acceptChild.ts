import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import type { AcceptedChild, ChildStart } from '../../domain/execution/childExecution.ts';
import { triggerSecrets } from '../../domain/execution/secretTexts.ts';
import type { StartedByType } from '../../domain/execution/startedBy.ts';
import type { Json } from '../../domain/json.ts';
import { computedLabels } from '../../engine/executions/computedLabels.ts';
import { executionArguments } from '../../engine/executions/executionArguments.ts';
import { traceHere } from '../../engine/tracing/work.ts';
import { acceptChildExecution } from '../../prisma/store/execution/acceptChildExecution.ts';
import { type AcceptedExecution, readAcceptedExecution } from '../../prisma/store/execution/readAcceptedExecution.ts';
import { findWorkflowHead, NOT_PUBLISHED, type WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import type { ActivityServices } from '../services.ts';
import { workOfEarlier } from './earlierChild.ts';

/** Maximum wait for the end of an earlier child that was asked to end, and the polling interval. */
const ENDING_MS = 10_000;
const LOOK_MS = 250;

export interface NewChild {
  workspaceId: string;
  workflowId: string;
  /** Made by `services.executionIds`, so that a repeated call means the same execution. */
  executionId: string;
  trigger: Json;
  startedBy: StartedByType;
  parentExecutionId?: string;
  /** The earlier child that it retries, if workflow and input are the same. */
  earlierId?: string | undefined;
  requestId?: string;
}

/**
 * Writes the row of an execution, which the calling workflow then starts as its child (childExecution.ts). A repetition
 * with the same id returns the same start, even if the workflow has changed. Throws only transient errors.
 */
export async function acceptChild(services: ActivityServices, child: NewChild): Promise<AcceptedChild> {
  const { database, definitions } = services;
  const { workspaceId, workflowId, executionId, trigger, startedBy, parentExecutionId, earlierId, requestId } = child;
  const starterId = activityInfo().workflowExecution?.workflowId;
  if (starterId === undefined) throw new Error('A child is accepted for a workflow');
  const until = performance.now() + ENDING_MS;
  for (;;) {
    const accepted = await readAcceptedExecution(database, workspaceId, executionId);
    if (accepted) return { kind: 'accepted', start: startOf(child, accepted) };
    const head = await startableHead(database, workspaceId, workflowId);
    if ('kind' in head) return head;
    const { versionId } = head;
    const definition = await definitions.get({ workspaceId, executionId, versionId });
    const { variables } = definition;
    const secrets = triggerSecrets(definition.trigger, trigger);
    const now = { workflowId, definition, trigger, parentExecutionId };
    const earlier = earlierId === undefined ? undefined : await workOfEarlier(services, workspaceId, earlierId, now);
    if (earlier === 'open') {
      if (performance.now() > until) return stillOpen(earlierId);
      await sleep(LOOK_MS);
      continue;
    }
    const origin = { startedBy, parentExecutionId, starterId, requestId, trace: traceHere() };
    const labels = await computedLabels(services.evaluation, { workspaceId, definition, trigger, secrets });
    const execution = {
      ...{ id: executionId, trigger: earlier?.trigger ?? trigger, variables, secrets, labels, ...origin },
      ...(earlier ? { earlier: { ...earlier, most: services.config.RETRY_BATCH_ITERATIONS } } : {}),
    };
    // Undefined: the workflow changed after it was read, or the row was written meanwhile. The loop checks both again.
    const written = await acceptChildExecution(database, workspaceId, { workflowId, versionId }, execution);
    if (written) return { kind: 'accepted', start: startOf(child, { ...head, workflowId, ...written, labels }) };
  }
}

async function startableHead(
  database: ActivityServices['database'],
  workspaceId: string,
  workflowId: string,
): Promise<WorkflowHead | (AcceptedChild & { kind: 'refused' })> {
  const head = await findWorkflowHead(database, workspaceId, workflowId);
  if (!head) return { kind: 'refused', code: 'NOT_FOUND', message: `There is no workflow ${workflowId}` };
  if (head === 'unpublished') return { kind: 'refused', code: 'NOT_PUBLISHED', message: NOT_PUBLISHED };
  if (head.isActive) return head;
  return { kind: 'refused', code: 'WORKFLOW_NOT_EXECUTABLE', message: `The workflow ${workflowId} is not active` };
}

function stillOpen(earlierId: string | undefined): AcceptedChild {
  const message = `The execution ${earlierId}, which this step had started before, has not ended yet: retry when it has`;
  return { kind: 'refused', code: 'CHILD_OPEN', message };
}

function startOf(
  { workspaceId, executionId }: NewChild,
  { name, projectId, workflowId, versionId, timeoutMs, held, limited, progress, takesOver, labels }: AcceptedExecution,
): ChildStart {
  return {
    executionId,
    name,
    args: executionArguments({
      ...{ workspaceId, executionId, versionId, held, limited, takesOver },
      timeoutMs: timeoutMs ?? undefined,
      progress: progress ?? undefined,
    }),
    owner: {
      ...{ workspaceId, projectId, workflowId, source: 'WORKFLOW' },
      ...(labels && Object.keys(labels).length > 0 ? { labels } : {}),
    },
  };
}
