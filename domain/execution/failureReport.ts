import type { Json, JsonObject } from '../json.ts';
import { maskSecrets } from './maskSecrets.ts';
import { shownTrigger } from './shownTrigger.ts';

/** A FAILED or TIMED_OUT execution. Times are ISO 8601. */
export interface FailedExecution {
  id: string;
  number: number;
  workflowId: string;
  workflowName: string;
  status: 'FAILED' | 'TIMED_OUT';
  statusMessage: string | null;
  startedAt: string;
  stoppedAt: string;
  requestId: string | null;
  retryOf: string | null;
  parentExecutionId: string | null;
  /** In the format of domain/trace/trace.ts. */
  trace?: string | null;
  /** The step that ended the execution; null if none did. */
  error: { nodeId: string; label: string; code: string; message: string } | null;
  trigger: Json;
  triggerType: string | null;
  secrets: string[];
}

/** Returns the value of `trigger` in the error workflow: the failed execution and its input, with secrets masked. */
export function failureReport(failed: FailedExecution): JsonObject {
  const {
    secrets,
    trigger,
    triggerType,
    error,
    requestId,
    retryOf,
    parentExecutionId,
    trace: _,
    ...execution
  } = failed;
  const report = {
    execution: {
      ...execution,
      url: `/api/executions/${failed.id}`,
      durationMs: Date.parse(failed.stoppedAt) - Date.parse(failed.startedAt),
      ...(error ? { error } : {}),
      ...(requestId === null ? {} : { requestId }),
      ...(retryOf === null ? {} : { retryOf }),
      ...(parentExecutionId === null ? {} : { parentExecutionId }),
    },
    trigger: shownTrigger(triggerType, trigger),
  };
  return maskSecrets(report, secrets) as JsonObject;
}
