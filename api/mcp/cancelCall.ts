import { Problem } from '../../domain/problem.ts';
import { readCall } from '../../prisma/store/mcp/readCall.ts';
import { credentialOf } from '../access/caller.ts';
import { callKey } from './callKey.ts';
import type { McpConnection } from './mcpServer.ts';

/** Ends what a call of this session has started, in whichever process it waits. */
export async function cancelCall(
  { services, caller, session, operate }: McpConnection,
  requestId: string | number,
  reason = 'Cancelled by the MCP client',
): Promise<void> {
  const id = callKey(services, session, requestId);
  const call = id && (await readCall(services.database, caller, credentialOf(caller), id));
  if (!call) return;
  try {
    if (call.kind === 'execution') {
      await operate('cancelExecution', { params: { executionId: id }, body: { reason: reason.slice(0, MAX_REASON) } });
    } else {
      const { agentId, taskId } = call;
      await operate('stopMessageStream', { params: { agentId, taskId }, body: { activeStreamId: id } });
    }
  } catch (error) {
    // It has ended meanwhile; a notification has no answer.
    if (!(error instanceof Problem) || error.status >= 500) throw error;
  }
}

const MAX_REASON = 500;
