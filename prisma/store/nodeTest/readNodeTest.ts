import type { NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

export interface OpenNodeTest {
  workflowId: string;
  workflowName: string;
  projectId: string;
  nodeId: string;
  definition: Definition;
  request: NodeTestRequest;
}

/** Undefined where nobody waits for the test any more. */
export async function readNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
): Promise<OpenNodeTest | undefined> {
  // Raw: one statement for the test, its workflow and that version's definition.
  const [row] = await database.$queryRaw<OpenNodeTest[]>`
    SELECT w.id AS "workflowId", w.name AS "workflowName", w.project_id AS "projectId", t.node_id AS "nodeId",
      v.definition, t.request
    FROM node_tests t JOIN workflows w ON w.id = t.workflow_id JOIN workflow_versions v ON v.id = t.version_id
    WHERE t.id = ${testId}::uuid AND t.workspace_id = ${workspaceId}::uuid AND t.answer IS NULL`;
  return row;
}
