import { isTerminal } from '../../domain/execution/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Snapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { resultOf, type ToolResult } from './toolCall.ts';

/** The result of a call: what is known of the execution now. Secrets are masked as in reads. */
export function executionResult(snapshot: Snapshot, note?: string): ToolResult {
  const { executionId, status, statusMessage, output, outputLink, outputBytes } = snapshot;
  const pendingInput = status === 'NEEDS_INPUT' ? questionsOf(snapshot).map(shownQuestion) : [];
  const isFailed = isTerminal(status) && status !== 'COMPLETED';
  return resultOf(
    {
      ...{ executionId, status },
      ...(statusMessage === null || isFailed ? {} : { statusMessage }),
      ...(status !== 'COMPLETED'
        ? {}
        : outputLink === undefined
          ? { output }
          : { outputLink, outputBytes: outputBytes ?? null }),
      ...(pendingInput.length === 0 ? {} : { pendingInput }),
      ...(isFailed ? { error: errorOf(snapshot) } : {}),
      ...(note === undefined ? {} : { note }),
    },
    isFailed,
  );
}

export function questionsOf({ pendingInput }: Snapshot): JsonObject[] {
  return Array.isArray(pendingInput) ? pendingInput.filter(isJsonObject) : [];
}

/** Without the link, which answers the question for anybody. */
function shownQuestion({ nodeId, stepId, label, title, instructions, fields, expiresAt }: JsonObject): JsonObject {
  const shown = { nodeId, stepId, label, title, instructions, fields, expiresAt };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as JsonObject;
}

function errorOf({ status, statusMessage, executionPath }: Snapshot): JsonObject {
  const path = Array.isArray(executionPath) ? executionPath.filter(isJsonObject) : [];
  const failed = path.findLast((step) => step.status === 'FAILED' && isJsonObject(step.error));
  const message: Json = statusMessage ?? `The execution is ${status}`;
  if (status !== 'FAILED' || !failed) return { code: status, message };
  const { code, message: ofStep } = failed.error as JsonObject;
  const { nodeId, label } = failed;
  return { code: code ?? status, message: ofStep ?? message, step: { nodeId: nodeId ?? '', label: label ?? '' } };
}
