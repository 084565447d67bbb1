import type { NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import type { Database } from '../../client.ts';

export interface NewNodeTest {
  id: string;
  workflowId: string;
  versionId: string;
  nodeId: string;
  request: NodeTestRequest;
  /** How long the row may stay where nobody takes it. */
  keepMs: number;
}

export async function insertNodeTest(
  database: Database,
  workspaceId: string,
  { id, workflowId, versionId, nodeId, request, keepMs }: NewNodeTest,
): Promise<void> {
  // Raw: its time is the database's clock, which those that delete it read.
  await database.$executeRaw`
    INSERT INTO node_tests (id, workspace_id, workflow_id, version_id, node_id, request, expires_at)
    VALUES (${id}::uuid, ${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid, ${nodeId},
      ${JSON.stringify(request)}::jsonb, now() + make_interval(secs => ${keepMs / 1_000}))`;
}
