import type { UIMessageChunk } from 'ai';
import type { ToolCall, ToolEnd } from '../../domain/agent/turnCalls.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { readResult } from '../../prisma/store/turn/readResult.ts';
import { readCall, settleCall } from '../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../services.ts';
import { agentResult } from './tools/agent.ts';
import type { ToolResult } from './tools/toolToRun.ts';

/** Takes the result of a call's execution or turn into the turn. */
export async function settleToolCall(services: ActivityServices, { status, ...call }: ToolEnd): Promise<void> {
  if (call.kind === 'agent') return settle(services, call, await agentResult(services, call));
  const { workspaceId, runId, toolCallId } = call;
  const stored = await readCall(services.database, workspaceId, runId, toolCallId);
  if (!stored?.executionId) return;
  const { output, error } = await readResult(services.database, workspaceId, stored.executionId);
  if (status === 'COMPLETED') await settle(services, call, { status: 'COMPLETED', output });
  else if (status === 'CANCELLED') await settle(services, call, { status: 'STOPPED', error: 'The call was cancelled' });
  else await settle(services, call, { status: 'FAILED', error: error ?? `The call ended ${status}` });
}

/** Once: keeps it, and tells followers. */
export async function settle(
  { database, feed }: ActivityServices,
  { workspaceId, runId, toolCallId }: ToolCall,
  result: ToolResult,
): Promise<void> {
  const told: UIMessageChunk =
    result.status === 'COMPLETED'
      ? { type: 'tool-output-available', toolCallId, output: result.output }
      : { type: 'tool-output-error', toolCallId, errorText: result.error };
  const written = await settleCall(database, workspaceId, { runId, toolCallId, ...result, chunks: [told] });
  if (written) feed.publish(changeOf(runId, written));
}
