import type { ServersResult } from '../../../domain/agent/mcpTool.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import { toolArguments, toolDigest } from '../../../domain/mcp/toolAction.ts';
import { ownMember } from '../../../domain/ownMember.ts';
import { mcpFailure } from '../../providers/mcpFailure.ts';
import type { McpSession, McpSessions } from '../../providers/mcpSession.ts';
import { type ActionCall, type ActionResult, awaitsAnswer, failed, stepOf, succeeded } from '../executor.ts';
import { credentialTexts } from '../http/maskedResult.ts';
import { credentialHeader, UnsendableInput } from '../http/outgoing.ts';
import type { CustomExecutor } from './customExecutor.ts';

const MAX_MESSAGE = 2_000;

export interface McpAppSettings {
  mcpSessions: McpSessions;
  maxTools: number;
  /** For actions without a limit of their own. */
  timeoutMs: number;
}

/** Calls a tool of an MCP server if it is still the one that was imported. */
export function buildMcpApp({ mcpSessions, maxTools, timeoutMs: preset }: McpAppSettings): CustomExecutor {
  return async ({ custom: { runs }, name }, { actionId, timeoutMs = preset }, call) => {
    if (runs.on !== 'mcp') throw new Error(`expected an app that runs on mcp, got ${runs.on}`);
    const { url, tools = {} } = runs;
    const { workspaceId } = stepOf(call.origin);
    const limits = { timeoutMs, signal: call.signal };
    try {
      const headers = credentialOf(new URL(url), call);
      const result = await mcpSessions({ url, workspaceId, headers }, limits, (session) =>
        callTool(session, { actionId, digest: ownMember(tools, actionId), maxTools }, call),
      );
      return masked(result, call);
    } catch (error) {
      call.signal.throwIfAborted();
      if (error instanceof UnsendableInput) return failed('INVALID_INPUT', error.message);
      const { said, isRetryable, isLost } = await mcpFailure(error, timeoutMs);
      if (!isLost) awaitsAnswer(call, false);
      return failed('MCP_UNAVAILABLE', `The MCP server of ${name} ${said}`.slice(0, MAX_MESSAGE), {
        retryable: isRetryable,
      });
    }
  };
}

/** A server may repeat the credential. callAction masks failures. */
function masked(result: ActionResult, { connection }: ActionCall): ActionResult {
  return result.ok ? { ...result, output: maskSecrets(result.output, credentialTexts(connection)) } : result;
}

/** The credential is for the server of the app alone. */
function credentialOf(url: URL, { connection }: ActionCall): Record<string, string> {
  if (connection === undefined) return {};
  const { type, credentials } = connection;
  const credential = credentialHeader({ type, credentials: { ...credentials, allowedHosts: url.host } }, url);
  return credential ? { [credential.name]: credential.value } : {};
}

async function callTool(
  session: McpSession,
  { actionId, digest, maxTools }: { actionId: string; digest: string | undefined; maxTools: number },
  call: ActionCall,
): Promise<ActionResult> {
  const { tools } = await session.listTools(maxTools);
  const tool = tools.find(({ name }) => name === actionId);
  if (!tool) return failed('TOOL_CHANGED', `The server no longer has the tool ${actionId}: import the app again.`);
  if (digest !== undefined && toolDigest(tool) !== digest) {
    return failed('TOOL_CHANGED', `The tool ${actionId} is not the one that was imported: import the app again.`);
  }
  awaitsAnswer(call, true);
  const result = await session.callTool(actionId, toolArguments(tool, call.inputs));
  awaitsAnswer(call, false);
  return resultOf(result);
}

function resultOf({ content = [], structuredContent, isError }: ServersResult): ActionResult {
  const text = content
    .flatMap((part) => (isJsonObject(part) && part.type === 'text' ? [String(part.text)] : []))
    .join('\n');
  if (isError) return failed('TOOL_FAILED', text.slice(0, MAX_MESSAGE) || 'The tool failed without a message.');
  if (structuredContent !== undefined) return succeeded(structuredContent as Json);
  return succeeded({ text, content: content as unknown as Json[] });
}
