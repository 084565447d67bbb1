import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Priority, SearchAttributePair } from '@temporalio/common';
import { summary } from '../../domain/execution/summary.ts';
import { EngineAway } from '../engineAway.ts';
import { engineCalls } from './engineCalls.ts';

export interface WorkflowSpec {
  type: string;
  workflowId: string;
  /** It may run again under its id once it has ended. Absent: the id is used only once. */
  mayRepeat?: boolean;
  args: unknown[];
  title: string;
  memo?: Record<string, unknown> | undefined;
  attributes?: SearchAttributePair[];
  priority?: Priority;
  /** A worker of this process gets its first task at once, ahead of waiting tasks. */
  isEager?: boolean;
  /** Milliseconds after which the server ends it. */
  lifeMs?: number;
  /** Milliseconds until its first task. */
  delayMs?: number;
  /** Replaces TEMPORAL_CALL_TIMEOUT_MS for this call. */
  callTimeoutMs?: number;
}

/** Any workflow on the server, by its id. Calls end within TEMPORAL_CALL_TIMEOUT_MS, or throw EngineAway. */
export interface Gateway {
  /** False if it is running, or has run and may not repeat. */
  start(spec: WorkflowSpec): Promise<boolean>;
  /** False if it is not running. */
  signal(workflowId: string, name: string, payload?: unknown): Promise<boolean>;
  /** Requests cancellation. False if it is not running. */
  cancel(workflowId: string): Promise<boolean>;
  /** Ends it at once. False if it is not running. */
  terminate(workflowId: string, reason: string): Promise<boolean>;
  /** Deletes an ended run and its history from the engine; does nothing if there is none. */
  forget(workflowId: string, runId: string): Promise<void>;
  /** Resolves when it has ended in any way; false if it has not within `timeoutMs`. */
  untilEnded(workflowId: string, timeoutMs: number): Promise<boolean>;
}

const NOT_FOUND = 5;

export interface GatewayOptions {
  client: Client;
  taskQueue: string;
  callTimeoutMs: number;
  /** Client and worker share one NativeConnection in this process, so the first task can bypass the server. */
  eagerStart: boolean;
}

export function createGateway({ client, taskQueue, callTimeoutMs, eagerStart }: GatewayOptions): Gateway {
  const inTime = engineCalls(client, callTimeoutMs);
  const handleOf = (workflowId: string) => client.workflow.getHandle(workflowId);

  async function delivered(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await inTime(work);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  return {
    async start({
      type,
      workflowId,
      mayRepeat = false,
      args,
      title,
      memo,
      attributes,
      priority,
      isEager = false,
      lifeMs,
      delayMs,
      callTimeoutMs: ownTimeoutMs,
    }) {
      const call = ownTimeoutMs === undefined ? inTime : engineCalls(client, ownTimeoutMs);
      try {
        await call(() =>
          client.workflow.start(type, {
            workflowId,
            taskQueue,
            args,
            workflowIdReusePolicy: mayRepeat ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
            staticSummary: summary(title),
            requestEagerStart: eagerStart && isEager,
            ...(memo === undefined ? {} : { memo }),
            ...(attributes === undefined ? {} : { typedSearchAttributes: attributes }),
            ...(priority === undefined ? {} : { priority }),
            ...(lifeMs === undefined ? {} : { workflowExecutionTimeout: lifeMs }),
            ...(delayMs === undefined ? {} : { startDelay: delayMs }),
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },

    signal: (workflowId, name, ...payload) => delivered(() => handleOf(workflowId).signal(name, ...payload)),
    async cancel(workflowId) {
      // The server accepts a cancellation of an ended workflow without an error.
      const isRunning = async () => (await handleOf(workflowId).describe()).status.name === 'RUNNING';
      try {
        if (!(await inTime(isRunning))) return false;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
      return delivered(() => handleOf(workflowId).cancel());
    },
    terminate: (workflowId, reason) => delivered(() => handleOf(workflowId).terminate(reason)),

    async forget(workflowId, runId) {
      const { namespace } = client.options;
      try {
        // The server would terminate a running workflow.
        const { status } = await inTime(() => client.workflow.getHandle(workflowId, runId).describe());
        if (status.name === 'RUNNING') return;
        await inTime(() =>
          client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } }),
        );
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return;
        if (!(isGrpcServiceError(error) && error.code === NOT_FOUND)) throw error;
      }
    },

    async untilEnded(workflowId, timeoutMs) {
      try {
        await engineCalls(client, timeoutMs)(() => handleOf(workflowId).result());
        return true;
      } catch (error) {
        if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return true;
        if (error instanceof EngineAway) return false;
        throw error;
      }
    },
  };
}
