import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { mcpOutput } from '../../domain/agent/mcpTool.ts';
import type { RemoteToolCall } from '../../domain/agent/turnCalls.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import type { Json } from '../../domain/json.ts';
import { readAgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import { readMcpTools } from '../../prisma/store/turn/mcpTools.ts';
import { type CallToRun, readCall } from '../../prisma/store/turn/toolCalls.ts';
import { beating } from '../beating.ts';
import { patiently } from '../execution/patiently.ts';
import { outputProblem } from '../execution/stepSettlement.ts';
import type { ActivityServices } from '../services.ts';
import { withMcpServer } from './mcp/mcpServer.ts';
import { settle } from './settleToolCall.ts';
import type { ToolResult } from './tools/toolToRun.ts';

/** Half of the throttle (worker/tuning.ts), which alone says how soon a cancellation is heard of. */
const HEARTBEAT_MS = 200;

/** Calls a tool of an MCP server and notes its result: nothing of that stands in the history. */
export function callTool(services: ActivityServices, call: RemoteToolCall): Promise<void> {
  const { cancellationSignal: signal, info } = Context.current();
  const { database, log } = services;
  const { workspaceId, runId, toolCallId, tries } = call;
  return beating(HEARTBEAT_MS, async () => {
    const stored = await patiently(signal, log, () => readCall(database, workspaceId, runId, toolCallId));
    if (stored?.status !== 'PENDING' || stored.isOver) return;
    const { isRetryable, ...result } = await called(services, call, stored, signal);
    if (isRetryable && info.attempt < tries) {
      throw ApplicationFailure.retryable(
        'The MCP server did not answer; the log of the worker says more',
        'MCP_FAILED',
      );
    }
    await patiently(signal, log, () => settle(services, { ...stored, ...call }, result));
  });
}

async function called(
  services: ActivityServices,
  { workspaceId, runId, name }: RemoteToolCall,
  { agentId, input }: CallToRun,
  signal: AbortSignal,
): Promise<ToolResult & { isRetryable?: boolean }> {
  const { database, config, log } = services;
  const gone = { status: 'FAILED', error: 'The agent has this tool no more' } as const;
  const [agent, tools] = await patiently(signal, log, () =>
    Promise.all([readAgentForTurn(database, workspaceId, agentId), readMcpTools(database, workspaceId, runId)]),
  );
  const tool = tools?.find((each) => each.name === name);
  const server = agent?.definition.mcpServers.find((each) => each.name === tool?.server);
  if (!tool || !server) return gone;
  const limits = { timeoutMs: config.MCP_TIMEOUT_MS, signal };
  const answer = await answered(signal, () =>
    withMcpServer(services, workspaceId, server, limits, (session) => session.callTool(tool.tool, input)),
  );
  if (!answer.ok) {
    log.warn({ workspaceId, runId, server: server.name, message: answer.message }, 'a tool of an MCP server failed');
    return { status: 'FAILED', error: answer.message, isRetryable: answer.isRetryable };
  }
  // What the server repeats of the credential nobody reads.
  const output = maskSecrets(mcpOutput(answer.value), answer.secrets);
  if (answer.value.isError) return { status: 'FAILED', error: textOf(output) };
  const problem = outputProblem(output, config.MAX_OUTPUT_BYTES);
  return problem ? { status: 'FAILED', error: problem.message } : { status: 'COMPLETED', output };
}

/** A stop is no failure of the server. */
async function answered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? new CancelledFailure('The call was stopped') : error;
  }
}

function textOf(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
