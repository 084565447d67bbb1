import { isUuid } from '../../domain/isUuid.ts';
import { Problem } from '../../domain/problem.ts';
import { readSnapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { readLimitsOf } from '../executions/readLimitsOf.ts';
import { questionsOf } from './executionResult.ts';
import type { ToolCall } from './toolCall.ts';

/** The question of the node, or the only one. Throws NOT_FOUND if there is none, VALIDATION_FAILED if several wait. */
export async function openQuestion(
  { services, caller }: ToolCall,
  executionId: string,
  nodeId: string | undefined,
): Promise<{ nodeId: string; stepId: string }> {
  const limits = readLimitsOf(services.config);
  const snapshot = isUuid(executionId)
    ? await readSnapshot(services.database, caller.workspaceId, executionId, limits)
    : undefined;
  if (!snapshot) throw notFound(EXECUTION);
  const open = questionsOf(snapshot).filter((each) => nodeId === undefined || each.nodeId === nodeId);
  const [question, ...others] = open;
  if (!question) throw new Problem('NOT_FOUND', `The execution is ${snapshot.status} and asks no such question`);
  if (others.length > 0 && new Set(open.map((each) => each.nodeId)).size > 1) {
    const nodes = open.map((each) => String(each.nodeId));
    const errors = [{ path: 'nodeId', message: `expected one of ${nodes.join(', ')}` }];
    throw new Problem('VALIDATION_FAILED', 'The execution asks several questions: name one with nodeId', { errors });
  }
  // Several iterations of a loop ask in turn.
  return { nodeId: String(question.nodeId), stepId: String(question.stepId) };
}
