import type { NodeTestAnswer } from '../../../domain/execution/nodeTest.ts';
import type { Database } from '../../client.ts';

/** Deletes the test; its answer, where there is one. */
export async function takeNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
): Promise<NodeTestAnswer | undefined> {
  // Raw: it is read by its own deletion, so that nobody takes it twice; one that is gone is no error.
  const [row] = await database.$queryRaw<{ answer: NodeTestAnswer | null }[]>`
    DELETE FROM node_tests WHERE id = ${testId}::uuid AND workspace_id = ${workspaceId}::uuid RETURNING answer`;
  return row?.answer ?? undefined;
}
