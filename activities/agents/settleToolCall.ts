import type { UIMessageChunk } from 'ai';
import { type OffloadedResult, offloaded } from '../../domain/agent/offloadedResult.ts';
import { MAX_ERROR_CHARACTERS } from '../../domain/agent/tool.ts';
import { RESULT_TOOL } from '../../domain/agent/toolNames.ts';
import type { ToolCall, ToolEnd } from '../../domain/agent/turnCalls.ts';
import { cutText } from '../../domain/cutText.ts';
import { derivedId } from '../../domain/derivedId.ts';
import type { TerminalStatus } from '../../domain/execution/status.ts';
import { storableText } from '../../domain/storableJson.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { readToolResult } from '../../prisma/store/turn/readToolResult.ts';
import { type CallToRun, readCall, settleCall } from '../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../services.ts';
import { agentResult } from './tools/agent.ts';
import type { ToolResult } from './tools/toolToRun.ts';

export async function settleToolCall(services: ActivityServices, { status, ...call }: ToolEnd): Promise<void> {
  const stored = await readCall(services.database, call.workspaceId, call.runId, call.toolCallId);
  if (!stored) return;
  if (call.kind === 'agent') return settle(services, { ...stored, ...call }, await agentResult(services, call));
  if (call.kind === 'mcp' || call.kind === 'knowledge') {
    // A successful call has stored its result itself.
    return status === 'COMPLETED' ? undefined : settle(services, { ...stored, ...call }, lostCall(status));
  }
  if (stored.executionId === null) return;
  const { output, error } = await readToolResult(services.database, call.workspaceId, stored.executionId);
  const result: ToolResult =
    status === 'COMPLETED'
      ? { status, output }
      : status === 'CANCELLED'
        ? { status: 'STOPPED', error: 'The call was cancelled' }
        : { status: 'FAILED', error: error ?? `The call ended ${status}` };
  await settle(services, { ...stored, ...call }, result);
}

function lostCall(status: TerminalStatus | undefined): ToolResult {
  if (status === 'CANCELLED') return { status: 'STOPPED', error: 'The call was cancelled' };
  return { status: 'FAILED', error: 'The call was lost with its worker: whether it had an effect is not known' };
}

type CallToSettle = Omit<ToolCall, 'name'> & Pick<CallToRun, 'offloadAboveBytes'>;

export async function settle(
  { database, feed }: ActivityServices,
  { workspaceId, runId, toolCallId, kind, offloadAboveBytes }: CallToSettle,
  given: ToolResult,
): Promise<void> {
  // The message may quote a server. Outputs were checked before.
  const result =
    given.status === 'COMPLETED'
      ? given
      : { ...given, error: cutText(storableText(given.error), MAX_ERROR_CHARACTERS) };
  // Parts of a large result are not stored separately again, and search results stay in the message for later steps.
  const aboveBytes = kind === 'result' || kind === 'discovery' ? null : offloadAboveBytes;
  const shown = shownResult(result, derivedId(runId, `result ${toolCallId}`), aboveBytes);
  const endedChunk: UIMessageChunk =
    result.status === 'COMPLETED'
      ? { type: 'tool-output-available', toolCallId, output: shown ?? result.output }
      : { type: 'tool-output-error', toolCallId, errorText: result.error };
  const settled = { runId, toolCallId, ...result, resultId: shown?.resultId, chunks: [endedChunk] };
  const written = await settleCall(database, workspaceId, settled);
  if (written) feed.publish(changeOf(runId, written));
}

function shownResult(result: ToolResult, resultId: string, aboveBytes: number | null): OffloadedResult | undefined {
  if (result.status !== 'COMPLETED' || aboveBytes === null) return undefined;
  return offloaded(result.output, resultId, aboveBytes, RESULT_TOOL);
}
