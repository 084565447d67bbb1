import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Config } from '../config.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import { summary } from '../domain/execution/summary.ts';

import {
  EXECUTION_RELEASED,
  executionAttributes,
  fairShare,
  INPUT_SUBMITTED,
  type InputSubmitted,
  RUN_EXECUTION,
  TEST_NODE,
  WORKSPACE_ATTRIBUTE,
} from '../temporal-workflows/names.ts';
import { type Engine, EngineAway, type EngineState } from './engine.ts';
import { engineCalls } from './engineCalls.ts';
import { runArguments } from './runArguments.ts';

/** How the engine's ends are told in the row. */
const ENDED: Record<string, { status: TerminalStatus; message: string }> = {
  COMPLETED: { status: 'COMPLETED', message: 'Completed in the engine' },
  FAILED: { status: 'FAILED', message: 'The workflow failed in the engine; its history there says why' },
  CANCELLED: { status: 'CANCELLED', message: 'Cancelled in the engine' },
  TERMINATED: { status: 'CANCELLED', message: 'Terminated in the engine' },
  TIMED_OUT: { status: 'TIMED_OUT', message: 'The engine ended the execution: its time was over' },
};

/** Who terminates what has grown beyond a limit of the server, e.g. that of a history; and what a parent's end terminates. */
const SERVER_IDENTITY = 'history-service';
const PARENT_ENDED = 'by parent close policy';

export interface TemporalEngineOptions {
  client: Client;
  config: Config;
  /** Client and worker share one NativeConnection in this process: the first task need not go through the server. */
  eagerStart: boolean;
}

export function createTemporalEngine({ client, config, eagerStart }: TemporalEngineOptions): Engine {
  const { TEMPORAL_TASK_QUEUE: taskQueue, TEMPORAL_NAMESPACE: namespace } = config;
  const inTime = engineCalls(client, config.TEMPORAL_CALL_TIMEOUT_MS);

  /** False where the execution does not run. */
  async function told(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await inTime(work);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async function untilEnded(workflowId: string, timeoutMs: number): Promise<boolean> {
    try {
      await engineCalls(client, timeoutMs)(() => client.workflow.getHandle(workflowId).result());
      return true;
    } catch (error) {
      if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return true;
      if (error instanceof EngineAway) return false;
      throw error;
    }
  }

  /** Why the server has terminated a workflow by itself; undefined where somebody asked it to. */
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
    async start(execution, ahead) {
      try {
        await inTime(() =>
          client.workflow.start(RUN_EXECUTION, {
            workflowId: execution.executionId,
            taskQueue,
            args: [runArguments(execution)],
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            staticSummary: summary(execution.name),
            typedSearchAttributes: executionAttributes(execution),
            priority: fairShare(execution),
            requestEagerStart: eagerStart && ahead,
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },

    signalInput({ executionId, nodeId, iteration, host, settled }) {
      const submitted: InputSubmitted = {
        nodeId,
        ...(iteration === '' ? {} : { iteration }),
        ...(settled ? { settled } : {}),
      };
      return told(() => client.workflow.getHandle(host ?? executionId).signal(INPUT_SUBMITTED, submitted));
    },

    release(executionId) {
      return told(() => client.workflow.getHandle(executionId).signal(EXECUTION_RELEASED));
    },

    cancel(executionId) {
      return told(() => client.workflow.getHandle(executionId).cancel());
    },

    terminate(executionId) {
      return told(() => client.workflow.getHandle(executionId).terminate('Terminated on request'));
    },

    async forestall(executionId) {
      try {
        // It never has a task: its delay is longer than its life, should this process die before it terminates it.
        const handle = await inTime(() =>
          client.workflow.start(RUN_EXECUTION, {
            workflowId: executionId,
            taskQueue,
            args: [],
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            staticSummary: 'Cancelled before it began',
            startDelay: '1 day',
            workflowExecutionTimeout: '1 minute',
          }),
        );
        await told(() => handle.terminate('Cancelled before it began'));
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },

    untilEnded,

    async startNodeTest(test) {
      await inTime(() =>
        client.workflow.start(TEST_NODE, {
          workflowId: nodeTestId(test.testId),
          taskQueue,
          args: [test],
          // Where no worker takes it, it ends soon after nobody waits any more.
          workflowExecutionTimeout: test.timeoutMs + NODE_TEST_MARGIN_MS,
          staticSummary: summary(`Test: ${test.label}`),
          typedSearchAttributes: [{ key: WORKSPACE_ATTRIBUTE, value: test.workspaceId }],
          priority: fairShare(test),
          requestEagerStart: eagerStart,
        }),
      );
    },

    untilNodeTestEnded(testId, timeoutMs) {
      return untilEnded(nodeTestId(testId), timeoutMs);
    },

    cancelNodeTest(testId) {
      return told(() => client.workflow.getHandle(nodeTestId(testId)).cancel());
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

    async listEndedBadly(since, limit, pageOf = LIST_PAGE) {
      const query = `WorkflowType = "${RUN_EXECUTION}" AND CloseTime > "${since.toISOString()}" AND ExecutionStatus IN ("Failed", "Canceled", "Terminated", "TimedOut")`;
      const found: string[] = [];
      for (let nextPageToken: Uint8Array | undefined; ; ) {
        const pageSize = Math.min(limit - found.length, pageOf);
        const page = { namespace, query, pageSize, ...(nextPageToken ? { nextPageToken } : {}) };
        const answer = await inTime(() => client.workflowService.listWorkflowExecutions(page));
        for (const { execution } of answer.executions ?? [])
          if (execution?.workflowId) found.push(execution.workflowId);
        nextPageToken = answer.nextPageToken ?? undefined;
        if (!nextPageToken?.length || found.length >= limit) return found;
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

/** The most that a server answers with, as it comes. */
const LIST_PAGE = 1_000;

/** To reach a worker, and for the net below the activity's own time. */
const NODE_TEST_MARGIN_MS = 60_000;

function nodeTestId(testId: string): string {
  return `test-${testId}`;
}

/** A poll lasts at most a minute. */
const POLLER_SILENCE_MS = 90_000;

function recent(time: { seconds?: unknown } | null | undefined): boolean {
  return Date.now() - Number(time?.seconds ?? 0) * 1_000 < POLLER_SILENCE_MS;
}
