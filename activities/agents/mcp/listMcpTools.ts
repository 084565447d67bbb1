import type { AgentDefinition, McpServer } from '../../../domain/agent/definition.ts';
import { type ListedTool, listedTools } from '../../../domain/agent/mcpTool.ts';
import type { TurnRef } from '../../../domain/agent/turnCalls.ts';
import type { Failure } from '../../../domain/execution/outcome.ts';
import { storageProblem } from '../../../domain/storableJson.ts';
import { keepMcpTools, readMcpTools } from '../../../prisma/store/turn/mcpTools.ts';
import type { ActivityServices } from '../../services.ts';
import { withMcpServer } from './mcpServer.ts';

/** Fails if a server does not answer, because the agent must not run with fewer tools. The run stores them. */
export async function listMcpTools(
  services: ActivityServices,
  { workspaceId, runId }: TurnRef,
  { mcpServers }: AgentDefinition,
  signal: AbortSignal,
): Promise<ListedTool[] | Failure> {
  if (mcpServers.length === 0) return [];
  const known = await readMcpTools(services.database, workspaceId, runId);
  if (known) return known;
  const lists = await Promise.all(mcpServers.map((server) => listOf(services, workspaceId, server, signal)));
  const failure = lists.find((list) => 'code' in list);
  if (failure && 'code' in failure) return failure;
  const tools = lists.flatMap((list) => ('code' in list ? [] : list));
  await keepMcpTools(services.database, workspaceId, runId, tools);
  return tools;
}

async function listOf(
  services: ActivityServices,
  workspaceId: string,
  server: McpServer,
  signal: AbortSignal,
): Promise<ListedTool[] | Failure> {
  const { config, log } = services;
  const maxTools = config.MCP_MAX_TOOLS;
  const limits = { timeoutMs: config.MCP_LIST_TIMEOUT_MS, signal };
  // One above the limit, to detect that there are more.
  const listed = await withMcpServer(services, workspaceId, server, limits, (session) =>
    session.listTools(maxTools + 1),
  );
  if (!listed.ok) {
    log.warn({ workspaceId, server: server.name, message: listed.message }, 'tools of an MCP server were not listed');
    return { code: 'MCP_UNAVAILABLE', message: listed.message, retryable: listed.isRetryable };
  }
  const { tools, leftOut } = listedTools(server.name, listed.value.tools.filter(isStorable), {
    maxTools,
    maxToolBytes: config.MCP_MAX_TOOL_BYTES,
  });
  const { malformed } = listed.value;
  if (leftOut + malformed > 0) {
    log.warn({ workspaceId, server: server.name, leftOut, malformed }, 'tools of an MCP server were left out');
  }
  return tools;
}

function isStorable(tool: object): boolean {
  return storageProblem(JSON.stringify(tool)) === undefined;
}
