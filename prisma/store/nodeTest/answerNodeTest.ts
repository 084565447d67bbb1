import type { NodeTestAnswer } from '../../../domain/execution/nodeTest.ts';
import type { Database } from '../../client.ts';

/** For who waits; nothing is written where nobody does. */
export async function answerNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
  answer: NodeTestAnswer,
): Promise<void> {
  await database.$executeRaw`
    UPDATE node_tests SET answer = ${JSON.stringify(answer)}::jsonb
    WHERE id = ${testId}::uuid AND workspace_id = ${workspaceId}::uuid`;
}
