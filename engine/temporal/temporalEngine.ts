import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Config } from '../../config.ts';
import type { TerminalStatus } from '../../domain/execution/status.ts';

import { executionMemo, executionTitle } from '../../domain/execution/summary.ts';
import {
  EXECUTION_RELEASED,
  executionAttributes,
  fairShare,
  INPUT_SUBMITTED,
  type InputSubmitted,
  RUN_EXECUTION,
  STEP_WOKEN,
  type StepWoken,
  TURN_WOKEN,
} from '../../temporal-workflows/names.ts';
import type { Engine, EngineState } from '../engine.ts';
import { EngineAway } from '../engineAway.ts';
import { executionArguments } from '../executions/executionArguments.ts';
import { createCustomerWorkers } from './customerWorkers.ts';
import { engineCalls } from './engineCalls.ts';
import { createGateway } from './gateway.ts';

const ENDED: Record<string, { status: TerminalStatus; message: string }> = {
  COMPLETED: { status: 'COMPLETED', message: 'Completed in the engine' },
  FAILED: { status: 'FAILED', message: 'The workflow failed in the engine; its history there says why' },
  CANCELLED: { status: 'CANCELLED', message: 'Cancelled in the engine' },
  TERMINATED: { status: 'CANCELLED', message: 'Terminated in the engine' },
  TIMED_OUT: { status: 'TIMED_OUT', message: 'The engine ended the execution: its time was over' },
};

/** The server's identity for terminations beyond a limit, and its reason for children of an ended parent. */
const SERVER_IDENTITY = 'history-service';
const PARENT_ENDED = 'by parent close policy';

/** A slow engine loses work with each abandoned call, so a start without a waiting caller gets more time. */
const UNAWAITED_START_MS = 10_000;

export interface TemporalEngineOptions {
  client: Client;
  config: Config;
  /** Client and worker share one NativeConnection in this process, so the first task can bypass the server. */
  eagerStart: boolean;
}

export function createTemporalEngine({ client, config, eagerStart }: TemporalEngineOptions): Engine {
  const { TEMPORAL_TASK_QUEUE: taskQueue, TEMPORAL_NAMESPACE: namespace } = config;
  const inTime = engineCalls(client, config.TEMPORAL_CALL_TIMEOUT_MS);

  const callTimeoutMs = config.TEMPORAL_CALL_TIMEOUT_MS;
  const workflows = createGateway({ client, taskQueue, callTimeoutMs, eagerStart });

  /** Returns the server's reason for a termination; undefined if someone requested it. */
  async function serversReason(workflowId: string, runId: string): Promise<string | undefined> {
    const historyEventFilterType =
      proto.temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
    const closed = { namespace, execution: { workflowId, runId }, historyEventFilterType };
    const { history } = await inTime(() => client.workflowService.getWorkflowExecutionHistory(closed));
    const end = history?.events?.at(-1)?.workflowExecutionTerminatedEventAttributes;
    const isServers = end?.identity === SERVER_IDENTITY && end.reason !== PARENT_ENDED;
    return isServers ? (end.reason ?? 'no reason was given') : undefined;
  }

  return {
    workflows,
    customerWorkers: createCustomerWorkers(client, namespace, inTime),

    start: (execution, { isEager, isAwaited }) =>
      workflows.start({
        type: RUN_EXECUTION,
        workflowId: execution.executionId,
        args: [executionArguments(execution)],
        title: executionTitle(execution),
        memo: executionMemo(execution),
        attributes: executionAttributes(execution),
        priority: fairShare(execution),
        isEager,
        ...(isAwaited ? {} : { callTimeoutMs: Math.max(callTimeoutMs, UNAWAITED_START_MS) }),
      }),

    signalInput({ executionId, nodeId, iteration, host }) {
      const submitted: InputSubmitted = {
        nodeId,
        ...(iteration === '' ? {} : { iteration }),
      };
      return workflows.signal(host ?? executionId, INPUT_SUBMITTED, submitted);
    },

    wakeStep({ executionId, nodeId, iteration, host }) {
      const woken: StepWoken = { nodeId, ...(iteration === '' ? {} : { iteration }) };
      return workflows.signal(host ?? executionId, STEP_WOKEN, woken);
    },

    wakeTurn: (runId) => workflows.signal(runId, TURN_WOKEN),

    release: (executionId) => workflows.signal(executionId, EXECUTION_RELEASED),
    cancel: workflows.cancel,
    terminate: (executionId) => workflows.terminate(executionId, 'Terminated on request'),
    untilEnded: workflows.untilEnded,

    async forestall(executionId) {
      // It never gets a task: if this process dies before the termination, its delay is longer than its life.
      const title = 'Cancelled before it began';
      const times = { delayMs: 86_400_000, lifeMs: 60_000 };
      const isFirst = await workflows.start({
        type: RUN_EXECUTION,
        workflowId: executionId,
        args: [],
        title,
        ...times,
      });
      if (isFirst) await workflows.terminate(executionId, title);
      return isFirst;
    },

    async describe(executionId): Promise<EngineState> {
      try {
        const { status, runId } = await inTime(() => client.workflow.getHandle(executionId).describe());
        const byServer = status.name === 'TERMINATED' ? await serversReason(executionId, runId) : undefined;
        if (byServer !== undefined)
          return { kind: 'ended', status: 'FAILED', message: `The engine ended it: ${byServer}` };
        const ended = ENDED[status.name];
        return ended ? { kind: 'ended', ...ended } : { kind: 'running' };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'absent' };
        throw error;
      }
    },

    async isTaskLost(workflowId) {
      // The count of attempts restarts with each signal, so read the last events.
      const last = { namespace, execution: { workflowId }, maximumPageSize: LAST_EVENTS };
      const { history } = await inTime(() => client.workflowService.getWorkflowExecutionHistoryReverse(last));
      for (const {
        workflowTaskCompletedEventAttributes: completed,
        workflowTaskTimedOutEventAttributes: late,
      } of history?.events ?? []) {
        if (completed) return false;
        if (late?.timeoutType === START_TO_CLOSE) return true;
      }
      return false;
    },

    async listEndedBadly(since, limit, pageOf = LIST_PAGE) {
      const query = `WorkflowType = "${RUN_EXECUTION}" AND CloseTime > "${since.toISOString()}" AND ExecutionStatus IN ("Failed", "Canceled", "Terminated", "TimedOut")`;
      const executionIds: string[] = [];
      let newestMs = 0;
      for (let nextPageToken: Uint8Array | undefined; ; ) {
        const pageSize = Math.min(limit - executionIds.length, pageOf);
        const page = { namespace, query, pageSize, ...(nextPageToken ? { nextPageToken } : {}) };
        const answer = await inTime(() => client.workflowService.listWorkflowExecutions(page));
        const ended = answer.executions ?? [];
        executionIds.push(...ended.flatMap(({ execution }) => execution?.workflowId || []));
        newestMs = ended.reduce(
          (newest, { closeTime }) => Math.max(newest, Number(closeTime?.seconds ?? 0) * 1_000),
          newestMs,
        );
        nextPageToken = answer.nextPageToken ?? undefined;
        if (nextPageToken?.length && executionIds.length < limit) continue;
        return { executionIds, ...(newestMs > 0 ? { newest: new Date(newestMs) } : {}) };
      }
    },

    async ready() {
      try {
        const answer = await inTime(() =>
          client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: 1 }),
        );
        return { engine: true, worker: (answer.pollers ?? []).some(({ lastAccessTime }) => recent(lastAccessTime)) };
      } catch (error) {
        if (error instanceof EngineAway || isGrpcServiceError(error)) return { engine: false, worker: false };
        throw error;
      }
    },
  };
}

/** Far more events than occur between the attempts of a task. */
const LAST_EVENTS = 50;
const START_TO_CLOSE = proto.temporal.api.enums.v1.TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE;

/** The default limit of a server. */
const LIST_PAGE = 1_000;

/** A poll lasts at most a minute. */
const POLLER_SILENCE_MS = 90_000;

function recent(time: { seconds?: unknown } | null | undefined): boolean {
  return Date.now() - Number(time?.seconds ?? 0) * 1_000 < POLLER_SILENCE_MS;
}
