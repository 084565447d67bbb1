import type { Field } from '../../domain/field.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { answerOfForm } from '../../domain/mcp/questionForm.ts';
import { placed } from '../../domain/place.ts';
import { Problem } from '../../domain/problem.ts';
import type { QuestionReply } from '../../engine/feeds/questionReplies.ts';
import { readSnapshot } from '../../prisma/store/execution/readSnapshot.ts';
import type { McpSession } from '../access/token.ts';
import { readLimitsOf } from '../executions/readLimitsOf.ts';
import { questionsOf } from './executionResult.ts';
import type { ToolCall } from './toolCall.ts';

const QUESTION_ID = /^([0-9a-f-]{36})\/([0-9a-f-]{36})\/\d$/;

/** Only the session that was asked can reply. */
export function replyKey(session: McpSession | undefined, id: string): string {
  return `${session?.id ?? ''} ${id}`;
}

type Replier = Pick<ToolCall, 'services' | 'caller' | 'session' | 'operate'>;

/** Submits what a person entered at the client, in whichever process it arrives, and tells the call that asked. */
export async function replyToQuestion(replier: Replier, id: string, result: unknown): Promise<void> {
  const [, executionId, stepId] = QUESTION_ID.exec(id) ?? [];
  if (executionId === undefined || stepId === undefined) return;
  const { action, content } = isJsonObject(result) ? result : {};
  const reply =
    action === 'accept'
      ? await submit(replier, { executionId, stepId }, isJsonObject(content) ? content : {})
      : { reply: action === 'decline' ? ('decline' as const) : ('cancel' as const) };
  await replier.services.questionReplies.send({ id: replyKey(replier.session, id), ...reply });
}

async function submit(
  { services, caller, operate }: Replier,
  { executionId, stepId }: { executionId: string; stepId: string },
  content: JsonObject,
): Promise<Omit<QuestionReply, 'id'>> {
  const limits = readLimitsOf(services.config);
  const snapshot = await readSnapshot(services.database, caller.workspaceId, executionId, limits);
  const question = snapshot && questionsOf(snapshot).find((each) => each.stepId === stepId);
  // Somebody else has answered meanwhile.
  if (!question) return { reply: 'accept' };
  const body = answerOfForm(question.fields as unknown as Field[], content);
  try {
    const params = { executionId, nodeId: String(question.nodeId) };
    await operate('submitInput', { params, query: { stepId }, body });
    return { reply: 'accept' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = (error.errors ?? [{ path: '', message: error.message }]).map(placed).join('; ');
    return { reply: 'invalid', message };
  }
}
