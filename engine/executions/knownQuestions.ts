import { LRUCache } from 'lru-cache';
import type { Question } from '../../prisma/store/execution/pendingInput.ts';

const MAX_BYTES = 16_777_216;

/**
 * Questions at the top of executions that a worker in this process has opened: their answers need not look them up.
 * Nothing in them ever changes; whether one is still open, and in time, the statement that takes an answer says.
 */
export class KnownQuestions {
  readonly #questions = new LRUCache<string, Question>({
    maxSize: MAX_BYTES,
    sizeCalculation: (question) => JSON.stringify(question).length,
  });

  add(question: Question): void {
    this.#questions.set(keyOf(question.executionId, question.nodeId), question);
  }

  /** `stepId`: the id that it must have, where one is named. */
  find(executionId: string, nodeId: string, stepId: string | undefined): Question | undefined {
    const question = this.#questions.get(keyOf(executionId, nodeId));
    return stepId === undefined || question?.id === stepId ? question : undefined;
  }

  /** It takes no more answers. */
  forget({ executionId, nodeId }: Question): void {
    this.#questions.delete(keyOf(executionId, nodeId));
  }
}

function keyOf(executionId: string, nodeId: string): string {
  return `${executionId}:${nodeId}`;
}
