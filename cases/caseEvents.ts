import { v7 } from 'uuid';
import { PERMISSIONS } from '../domain/access/permission.ts';
import type { CaseEvent } from '../domain/case/caseFile.ts';
import type { CaseFailure } from '../domain/case/judge.ts';
import { durationMs } from '../domain/duration.ts';
import { needsCredential, type Submitter } from '../domain/execution/submission.ts';
import { checkAnswer } from '../domain/fieldValues.ts';
import type { JsonObject } from '../domain/json.ts';
import { endOnRequest } from '../engine/executions/endOnRequest.ts';
import { findPendingInput } from '../prisma/store/execution/pendingInput.ts';
import { type Asked, type CaseHost, indicesOf } from './caseActivities.ts';
import type { CasePlatform } from './casePlatform.ts';
import type { CaseRun } from './caseRun.ts';

/** A case without events ends after this. The server ends every workflow, including the timer, after ten years. */
const NOTHING_MORE_MS = 9.9 * 365 * 86_400_000;

type Happening = (platform: CasePlatform) => Promise<void>;

/** Sends the outside events of cases. Each is a timer on the server, because only the server knows the skipped time. */
export class CaseEvents {
  readonly #happenings: Happening[] = [];

  hostOn(platform: () => CasePlatform): Omit<CaseHost, 'book'> {
    return {
      serverTime: () => platform().serverTime(),
      asked: (run, question) => this.#asked(platform(), run, question),
      event: async (event) => this.#happenings[event]?.(platform()),
    };
  }

  /** Schedules the timed events, and the end of a case without further events. Call it while time is held. */
  async begin(platform: CasePlatform, run: CaseRun): Promise<void> {
    for (const { event, index } of run.timed) await this.#at(platform, run, event, cancelOf(run, index));
    await this.#after(platform, NOTHING_MORE_MS, async () => run.end());
  }

  async #asked(platform: CasePlatform, run: CaseRun, asked: Asked): Promise<void> {
    const { executionId, workflow, nodeId, iteration } = asked;
    // The database runs on the machine's clock, so only the workflow's timer may expire the question.
    await platform.parts.database.pendingInput.updateMany({
      where: { executionId, nodeId, iteration },
      data: { expiresAt: null },
    });
    const found = await findPendingInput(platform.parts.database, executionId, nodeId, { iteration });
    const question = found?.questions.find(({ status }) => status === 'OPEN');
    // One answer for each that the question requires; a missing event means a missing answer.
    const placed = Array.from({ length: question?.required ?? 1 }, () =>
      run.takeEvent({ workflow, nodeId, indices: indicesOf(iteration) }),
    ).filter((each) => each !== undefined);
    for (const { event, index } of placed) {
      const happening = event.cancel ? cancelOf(run, index) : answerOf(run, index, asked, event.answer as JsonObject);
      await this.#at(platform, run, event, happening);
    }
    if (placed.length === 0 && run.given.expect.status === 'NEEDS_INPUT') {
      // Just before it expires: the case ends if nothing else runs.
      await this.#after(platform, 1, async () => run.end());
    }
  }

  #at(platform: CasePlatform, run: CaseRun, { after }: CaseEvent, happening: Happening): Promise<void> {
    const afterMs = after === undefined ? 0 : Math.round(durationMs(after) ?? 0);
    const due = run.clock.now + afterMs;
    return this.#after(platform, afterMs, async (on) => {
      if (run.hasEnded) return;
      run.clock.reach(due);
      await happening(on);
    });
  }

  async #after(platform: CasePlatform, afterMs: number, happening: Happening): Promise<void> {
    const event = this.#happenings.push(happening) - 1;
    await platform.startTimer({ event, afterMs });
  }
}

function cancelOf(run: CaseRun, index: number): Happening {
  return async ({ parts }) => {
    const { executionId, workspaceId } = run;
    const ended = await endOnRequest(parts, { workspaceId, executionId, how: 'cancel' });
    if (ended === 'absent') run.failures.push(failureOf(index, 'the execution is not there'));
  };
}

function failureOf(index: number, message: string): CaseFailure {
  const path = `events[${index}]`;
  return { path, message: `${path}: ${message}` };
}

function answerOf(run: CaseRun, index: number, asked: Asked, answer: JsonObject): Happening {
  return async ({ parts }) => {
    const { executionId, nodeId, iteration } = asked;
    const found = await findPendingInput(parts.database, executionId, nodeId, { iteration });
    const question = found?.questions.find(({ status }) => status === 'OPEN');
    const late = failureOf(index, `${nodeId} is no longer waiting for an answer`);
    if (!question) {
      if (!run.hasEnded) run.failures.push(late);
      return;
    }
    const { values, problems } = checkAnswer(question.fields, answer);
    if (problems.length > 0) {
      const reasons = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
      run.failures.push(failureOf(index, `the answer does not match the question of ${nodeId}: ${reasons}`));
      return;
    }
    const submitter = needsCredential(question) ? somebody(index) : undefined;
    if (!(await parts.answers.take(question, values, submitter))) run.failures.push(late);
  };
}

function somebody(index: number): Submitter {
  const id = v7();
  const name = `person ${index + 1}`;
  return { by: { type: 'user', id, name }, person: id, email: null, role: null, permissions: new Set(PERMISSIONS) };
}
