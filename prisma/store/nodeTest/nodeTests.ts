import type { NodeTestAnswer, NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';
import type { Prisma } from '../../generated/client.ts';

export interface NewNodeTest {
  id: string;
  workflowId: string;
  versionId: string;
  nodeId: string;
  request: NodeTestRequest;
  keepMs: number;
}

export async function insertNodeTest(
  database: Database,
  workspaceId: string,
  { id, workflowId, versionId, nodeId, request, keepMs }: NewNodeTest,
): Promise<void> {
  await database.$executeRaw`
    INSERT INTO node_tests (id, workspace_id, workflow_id, version_id, node_id, request, expires_at)
    VALUES (${id}::uuid, ${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid, ${nodeId},
      ${JSON.stringify(request)}::jsonb, now() + make_interval(secs => ${keepMs / 1_000}))`;
}

export interface OpenNodeTest {
  workflowId: string;
  workflowName: string;
  projectId: string;
  nodeId: string;
  definition: Definition;
  request: NodeTestRequest;
}

/** Returns undefined if no caller waits for the test any longer. */
export async function readNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
): Promise<OpenNodeTest | undefined> {
  const [row] = await database.$queryRaw<OpenNodeTest[]>`
    SELECT w.id AS "workflowId", w.name AS "workflowName", w.project_id AS "projectId", t.node_id AS "nodeId",
      v.definition, t.request
    FROM node_tests t JOIN workflows w ON w.id = t.workflow_id JOIN workflow_versions v ON v.id = t.version_id
    WHERE t.id = ${testId}::uuid AND t.workspace_id = ${workspaceId}::uuid AND t.answer IS NULL`;
  return row;
}

export async function takeNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
): Promise<NodeTestAnswer | undefined> {
  // Raw: the deletion reads the row, so only one caller takes it; a missing row is no error.
  const [row] = await database.$queryRaw<{ answer: NodeTestAnswer | null }[]>`
    DELETE FROM node_tests WHERE id = ${testId}::uuid AND workspace_id = ${workspaceId}::uuid RETURNING answer`;
  return row?.answer ?? undefined;
}

/** Stores the answer for the waiting caller; writes nothing if none waits. */
export async function answerNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
  answer: NodeTestAnswer,
): Promise<void> {
  const data = { answer: answer as unknown as Prisma.InputJsonObject };
  await database.nodeTest.updateMany({ where: { id: testId, workspaceId }, data });
}
