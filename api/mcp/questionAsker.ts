import { refusalOf } from '../../domain/execution/submission.ts';
import type { Field } from '../../domain/field.ts';
import type { JsonObject } from '../../domain/json.ts';
import { isAskable, questionForm } from '../../domain/mcp/questionForm.ts';
import type { QuestionReply } from '../../engine/feeds/questionReplies.ts';
import { findPendingInput } from '../../prisma/store/execution/pendingInput.ts';
import { readSubmitter } from '../../prisma/store/workspaceUser/readSubmitter.ts';
import { credentialOf } from '../access/caller.ts';
import { replyKey } from './replyToQuestion.ts';
import type { ToolCall } from './toolCall.ts';

interface OpenQuestion {
  stepId: string;
  until: number;
  attempt: number;
  stop: () => void;
}

const MAX_ATTEMPTS = 3;

/** Shows the questions of an execution to the person at the client, one after the other. */
export class QuestionAsker {
  readonly #call: ToolCall;
  readonly #executionId: string;
  readonly #replied: () => void;
  /** Questions that are not shown again. */
  readonly #settled = new Set<string>();
  #open: OpenQuestion | undefined;
  #reply: QuestionReply | undefined;
  #again: { stepId: string; attempt: number; message: string } | undefined;
  /** Why the client's person gave no answer. */
  note: string | undefined;

  constructor(call: ToolCall, executionId: string, replied: () => void) {
    this.#call = call;
    this.#executionId = executionId;
    this.#replied = replied;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Call it before the execution is read: an accepted answer is in the rows by then. */
  takeReply(): void {
    const [open, reply] = [this.#open, this.#reply];
    if (!open || !reply) return;
    this.stop();
    const { stepId, attempt } = open;
    if (reply.reply === 'invalid' && attempt < MAX_ATTEMPTS) {
      this.#again = { stepId, attempt: attempt + 1, message: reply.message ?? '' };
      return;
    }
    this.#settled.add(stepId);
    this.note = NOTES[reply.reply]?.(reply.message);
  }

  /** Returns until when the person may answer; undefined if there is no question to show. */
  async ask(questions: readonly JsonObject[]): Promise<number | undefined> {
    if (this.#open) {
      if (questions.some(({ stepId }) => stepId === this.#open?.stepId)) return this.#open.until;
      this.stop();
    }
    if (!this.#call.session?.asksPerson) return undefined;
    for (const question of questions) {
      if (this.#settled.has(String(question.stepId)) || !(await this.#mayAsk(question))) continue;
      return this.#show(question, String(question.stepId));
    }
    return undefined;
  }

  stop(): void {
    this.#open?.stop();
    this.#open = undefined;
    this.#reply = undefined;
  }

  async #show(question: JsonObject, stepId: string): Promise<number> {
    const { services, session } = this.#call;
    const again = this.#again?.stepId === stepId ? this.#again : undefined;
    const attempt = again?.attempt ?? 1;
    const id = `${this.#executionId}/${stepId}/${attempt}`;
    const stop = services.questionReplies.listen(replyKey(session, id), (reply) => {
      this.#reply = reply;
      this.#replied();
    });
    const until = performance.now() + services.config.MCP_QUESTION_MS;
    this.#open = { stepId, until, attempt, stop };
    const { title, label, instructions } = question;
    const message = [title ?? label, instructions, again?.message].filter(
      (text) => typeof text === 'string' && text !== '',
    );
    const requestedSchema = questionForm(question.fields as unknown as Field[]);
    await this.#call.ask(id, { mode: 'form', message: message.join('\n\n'), requestedSchema });
    return until;
  }

  async #mayAsk({ nodeId, stepId, fields }: JsonObject): Promise<boolean> {
    if (!isAskable(fields as unknown as Field[])) return false;
    const { services, caller } = this.#call;
    const place = { stepId: String(stepId), iteration: undefined };
    const found = await findPendingInput(services.database, this.#executionId, String(nodeId), place);
    const question = found?.questions[0];
    const submitter = await readSubmitter(services.database, caller.workspaceId, credentialOf(caller));
    if (!question || !submitter || question.submitters === 'link') return false;
    return refusalOf(question, { ...submitter, permissions: caller.permissions }, question.starters) === undefined;
  }
}

const NOTES: Readonly<Record<QuestionReply['reply'], ((message?: string) => string) | undefined>> = {
  accept: undefined,
  decline: () => 'The person declined to answer; the execution still waits',
  cancel: () => 'The person closed the question without an answer; the execution still waits',
  invalid: (message) => `The answer was not accepted: ${message}`,
};
