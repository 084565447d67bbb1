import type { Logger } from 'pino';
import { queuedByAnswer } from '../../domain/execution/queuedByAnswer.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Submitter } from '../../domain/execution/submission.ts';
import type { JsonObject } from '../../domain/json.ts';
import { iterationPlan } from '../../domain/workflow/scopePlan.ts';
import type { Database } from '../../prisma/client.ts';
import { markAnswersSent, type Question, submitAnswer } from '../../prisma/store/execution/pendingInput.ts';
import { claimUnsentAnswers, unclaimUnsentAnswers } from '../../prisma/store/execution/reconcileQueries.ts';
import type { Engine } from '../engine.ts';
import { EngineAway } from '../engineAway.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import { isAway, rowByRow } from '../rowByRow.ts';
import type { DefinitionCache } from './definitionCache.ts';
import { queuedRecords } from './stepRecords.ts';

export interface AnswersOptions {
  database: Database;
  engine: Engine;
  definitions: DefinitionCache;
  feed: ChangeFeed;
  log: Logger;
}

/** Delay after which delivered answers are marked together, well before the reconciler would resend them. */
const MARK_AFTER_MS = 500;

export class Submissions {
  readonly #options: AnswersOptions;
  #sent: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /**
   * Accepts a submission once. The last required one completes the step and queues the next steps in one statement;
   * then a signal wakes the execution, which the reconciler repeats if lost. False if the question takes none any
   * longer, or none from this person.
   */
  async take(question: Question, values: JsonObject, submitter?: Submitter): Promise<boolean> {
    const { database, feed, engine, log } = this.#options;
    const submitted = await submitAnswer(database, question, values, await this.#queuedSteps(question), submitter);
    if (!submitted) return false;
    const { change } = submitted;
    if (!change) return true;
    feed.publish(change);
    try {
      await engine.signalInput(question);
      this.#markLater(question.id);
    } catch (error) {
      const away = error instanceof EngineAway;
      const { executionId, nodeId } = question;
      log.warn({ executionId, nodeId, ...(away ? {} : { err: error }) }, 'accepted; the engine receives it later');
    }
    return true;
  }

  /** Resends answers of these buckets that are older than `ageMs` and not marked as delivered. Returns their number. */
  async sendUnsent(ageMs: number, buckets: readonly number[], limit: number): Promise<number> {
    const { database, engine, log } = this.#options;
    const untold = await claimUnsentAnswers(database, ageMs, buckets, limit);
    let begun = 0;
    // Answers up to the last one with a reply: the engine counts as unavailable only after several without one.
    let answered = 0;
    try {
      await rowByRow(log, untold, async (question) => {
        begun += 1;
        let isSilent = false;
        try {
          await engine.signalInput(question);
        } catch (error) {
          isSilent = isAway(error);
          throw error;
        } finally {
          if (!isSilent) answered = begun;
        }
        // If the asking workflow is gone, its execution or iteration has ended and needs no signal.
        this.#markLater(question.id);
      });
    } finally {
      const missed = untold.slice(answered).map(({ id }) => id);
      if (missed.length > 0) await unclaimUnsentAnswers(database, missed);
    }
    return untold.length;
  }

  async drain(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#mark();
  }

  async #queuedSteps(question: Question): Promise<StepRecord[]> {
    const { workspaceId, executionId, versionId, nodeId, iteration, steps } = question;
    const version = versionId === null ? {} : { versionId };
    const definition = await this.#options.definitions.get({ workspaceId, executionId, ...version });
    const plan = iterationPlan(definition.plan, iteration);
    return queuedRecords(definition, queuedByAnswer(plan, nodeId, steps), iteration);
  }

  #markLater(questionId: string): void {
    this.#sent.push(questionId);
    this.#timer ??= setTimeout(() => void this.#mark(), MARK_AFTER_MS);
  }

  async #mark(): Promise<void> {
    this.#timer = undefined;
    const sent = this.#sent;
    this.#sent = [];
    if (sent.length === 0) return;
    try {
      await markAnswersSent(this.#options.database, sent);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'delivered answers could not be marked: they are delivered again');
    }
  }
}
