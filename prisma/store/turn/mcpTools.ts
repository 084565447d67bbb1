import type { ListedTool } from '../../../domain/agent/mcpTool.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Returns the MCP tools that this turn, or an earlier turn of its message, has listed; undefined before that. */
export async function readMcpTools(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<ListedTool[] | undefined> {
  // Raw: of several turns of one message, the newest that has listed them.
  const [row] = await database.$queryRaw<{ tools: ListedTool[] }[]>`
    SELECT o.mcp_tools AS tools FROM task_runs r
    JOIN task_runs o ON o.task_id = r.task_id AND o.message_id = r.message_id AND o.number <= r.number
    WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid AND o.mcp_tools IS NOT NULL
    ORDER BY o.number DESC LIMIT 1`;
  return row?.tools;
}

export async function keepMcpTools(
  database: Database,
  workspaceId: string,
  runId: string,
  tools: readonly ListedTool[],
): Promise<void> {
  await database.taskRun.updateMany({
    where: { id: runId, workspaceId, mcpTools: { equals: Prisma.DbNull } },
    data: { mcpTools: tools as unknown as Prisma.InputJsonValue },
  });
}
