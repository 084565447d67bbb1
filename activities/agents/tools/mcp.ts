import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { type ListedTool, MAX_MCP_TRIES, mcpOutput } from '../../../domain/agent/mcpTool.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { Json } from '../../../domain/json.ts';
import { ownMember } from '../../../domain/ownMember.ts';
import { readAgentForTurn } from '../../../prisma/store/agent/readAgentForTurn.ts';
import { readMcpTools } from '../../../prisma/store/turn/mcpTools.ts';
import { outputProblem } from '../../execution/stepSettlement.ts';
import { whileDatabaseAway } from '../../execution/whileDatabaseAway.ts';
import type { ActivityServices } from '../../services.ts';
import { withMcpServer } from '../mcp/mcpServer.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';
import type { Work } from './work.ts';

/** Tools of MCP servers as the turn has listed them. The server checks the arguments. */
export function mcpTools(
  listed: readonly ListedTool[],
  { mcpServers, enabledToolPolicies, dynamicMcpDiscoveryEnabled }: AgentDefinition,
): OfferedTool[] {
  const servers = new Map(mcpServers.map((server) => [server.name, server]));
  return listed.flatMap(({ name, server, tool, description, inputSchema }): OfferedTool[] => {
    const from = servers.get(server);
    if (from === undefined) return [];
    const { policy, url, connectionId } = from;
    const own = ownMember(enabledToolPolicies, name);
    const found = dynamicMcpDiscoveryEnabled ? ({ mustBeFound: true } as const) : {};
    const bound = { server, tool, url, connectionId };
    return [
      { name, description, inputSchema, kind: 'mcp', policy: own ?? policy, bound, problems: () => [], ...found },
    ];
  });
}

/** The call is a separate activity, repeated only if the server declares that harmless. */
export async function acceptMcp({ database }: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const tool = (await readMcpTools(database, call.workspaceId, call.runId))?.find(({ name }) => name === call.name);
  if (!tool || !call.definition.mcpServers.some(({ name }) => name === tool.server)) {
    return { kind: 'refused', error: 'The agent no longer has this tool' };
  }
  return { kind: 'activity', tries: tool.isRepeatable ? MAX_MCP_TRIES : 1 };
}

export const callMcp: Work = async (services, { workspaceId, runId, name }, { agentId, input }, signal) => {
  const { database, config, log } = services;
  const gone = { status: 'FAILED', error: 'The agent no longer has this tool' } as const;
  const [agent, tools] = await whileDatabaseAway(signal, log, () =>
    Promise.all([readAgentForTurn(database, workspaceId, agentId), readMcpTools(database, workspaceId, runId)]),
  );
  const tool = tools?.find((each) => each.name === name);
  const server = agent?.definition.mcpServers.find((each) => each.name === tool?.server);
  if (!tool || !server) return gone;
  const limits = { timeoutMs: config.MCP_TIMEOUT_MS, signal };
  const answer = await withMcpServer(services, workspaceId, server, limits, (session) =>
    session.callTool(tool.tool, input),
  );
  if (!answer.ok) {
    log.warn({ workspaceId, runId, server: server.name, message: answer.message }, 'a tool of an MCP server failed');
    return { status: 'FAILED', error: answer.message, isRetryable: answer.isRetryable };
  }
  const given = mcpOutput(answer.value);
  // Before masking, because a very deep value can be neither masked nor written.
  const problem = outputProblem(given, config.MAX_OUTPUT_BYTES);
  if (problem) return { status: 'FAILED', error: problem.message };
  // The server may repeat the credential.
  const output = maskSecrets(given, answer.secrets);
  return answer.value.isError ? { status: 'FAILED', error: textOf(output) } : { status: 'COMPLETED', output };
};

function textOf(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
