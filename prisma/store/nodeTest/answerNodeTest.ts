import type { NodeTestAnswer } from '../../../domain/execution/nodeTest.ts';
import type { Database } from '../../client.ts';
import type { Prisma } from '../../generated/client.ts';

/** For who waits; nothing is written where nobody does. */
export async function answerNodeTest(
  database: Database,
  workspaceId: string,
  testId: string,
  answer: NodeTestAnswer,
): Promise<void> {
  const data = { answer: answer as unknown as Prisma.InputJsonObject };
  await database.nodeTest.updateMany({ where: { id: testId, workspaceId }, data });
}
