import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { TaskKind } from '../../domain/app/workerTask.ts';
import type { CustomerWorkers, Poller } from '../customerWorkers.ts';
import type { EngineCall } from './engineCalls.ts';

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType;
const TYPES = { activity: TASK_QUEUE_TYPE_ACTIVITY, workflow: TASK_QUEUE_TYPE_WORKFLOW } as const;
const SCHEDULED = proto.temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
/** The start of a workflow, and its first task. */
const UNTAKEN_EVENTS = 2;
const NOT_FOUND = 5;

export function createCustomerWorkers(client: Client, namespace: string, inTime: EngineCall): CustomerWorkers {
  async function describe(workflowId: string) {
    try {
      return await inTime(() =>
        client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } }),
      );
    } catch (error) {
      const isAbsent =
        error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND);
      if (isAbsent) return undefined;
      throw error;
    }
  }

  return {
    async pollersOf(taskQueue: string, kind: TaskKind): Promise<Poller[]> {
      const queue = { namespace, taskQueue: { name: taskQueue }, taskQueueType: TYPES[kind] };
      const { pollers } = await inTime(() => client.workflowService.describeTaskQueue(queue));
      return (pollers ?? []).map(({ identity, lastAccessTime, deploymentOptions, workerVersionCapabilities }) => {
        const buildId = deploymentOptions?.buildId || workerVersionCapabilities?.buildId;
        return {
          identity: identity ?? '',
          lastSeenAt: new Date(Number(lastAccessTime?.seconds ?? 0) * 1_000),
          ...(buildId ? { buildId } : {}),
        };
      });
    },

    async isTaken({ host, executionId, key, kind }): Promise<boolean> {
      const description = await describe(host);
      if (kind === 'activity') {
        const pending = description?.pendingActivities?.find(({ activityId }) => activityId === key);
        return pending?.state !== SCHEDULED;
      }
      const prefix = `${executionId}/${key}/`;
      const child = description?.pendingChildren?.find(({ workflowId }) => workflowId?.startsWith(prefix));
      if (!child?.workflowId) return true;
      const { workflowExecutionInfo } = (await describe(child.workflowId)) ?? {};
      return Number(workflowExecutionInfo?.historyLength ?? 0) > UNTAKEN_EVENTS;
    },
  };
}
