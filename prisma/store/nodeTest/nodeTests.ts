import type { NodeTestAnswer, NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';
import type { Prisma } from '../../generated/client.ts';

export interface TestedVersion {
  workflowId: string;
  versionId: string;
}

export interface UnsavedDefinition {
  definition: Definition;
  /** The project whose variables it reads; undefined: only those of the workspace. */
  projectId: string | undefined;
}

export interface NewNodeTest {
  id: string;
  of: TestedVersion | UnsavedDefinition;
  nodeId: string;
  request: NodeTestRequest;
  keepMs: number;
}

export async function insertNodeTest(
  database: Database,
  workspaceId: string,
  { id, of, nodeId, request, keepMs }: NewNodeTest,
): Promise<void> {
  const unsaved = { workflowId: null, versionId: null };
  const { workflowId, versionId, ...own } = 'versionId' in of ? of : { ...unsaved, ...of };
  const { definition = null, projectId = null } = own as Partial<UnsavedDefinition>;
  await database.$executeRaw`
    INSERT INTO node_tests (id, workspace_id, workflow_id, version_id, definition, project_id, node_id, request, expires_at)
    VALUES (${id}::uuid, ${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid,
      ${definition && JSON.stringify(definition)}::jsonb, ${projectId}::uuid, ${nodeId}, ${JSON.stringify(request)}::jsonb, now() + make_interval(secs => ${keepMs / 1_000}))`;
}

export interface OpenNodeTest {
  /** Empty for a definition that is not stored. */
  workflowId: string;
  workflowName: string;
  projectId: string | null;
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
    SELECT coalesce(w.id::text, '') AS "workflowId", coalesce(w.name, '') AS "workflowName",
      coalesce(w.project_id, t.project_id) AS "projectId", t.node_id AS "nodeId",
      coalesce(t.definition, v.definition) AS definition, t.request
    FROM node_tests t LEFT JOIN workflows w ON w.id = t.workflow_id LEFT JOIN workflow_versions v ON v.id = t.version_id
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
