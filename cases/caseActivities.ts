import { createActivities } from '../activities/createActivities.ts';
import type { ActivityServices } from '../activities/services.ts';
import type { CaseEventRef } from '../domain/case/caseTimer.ts';
import { iterationParts } from '../domain/execution/iteration.ts';
import type { Outcome } from '../domain/execution/outcome.ts';
import type { CaseBook } from './caseBook.ts';
import { stepKey } from './caseClock.ts';
import type { CaseRun } from './caseRun.ts';
import { atTime } from './virtualDate.ts';

export interface CaseHost {
  book: CaseBook;
  /** Epoch milliseconds of the server's own time. */
  serverTime(): Promise<number>;
  asked(run: CaseRun, question: Asked): Promise<void>;
  event(event: number): Promise<void>;
}

export interface Asked {
  executionId: string;
  workflow: string;
  nodeId: string;
  iteration: string;
}

interface Call {
  executionId?: string;
  iteration?: string;
  /** Set for a region. */
  start?: { nodeId: string; cause: string }[];
  /** Set for an action or a pause. */
  nodeId?: string;
  attempt?: number;
  wakeAt?: number;
  /** Set for an end. */
  end?: { status: string; reason?: string };
}

interface Result {
  outcome?: Outcome;
  outcomes?: Outcome[];
  endStatus?: string;
}

type Activity = (call: Call, ...more: unknown[]) => Promise<unknown>;

/** Wraps the product's activities: each runs on its case's clock, and mocks replace calls to other systems. */
export function caseActivities(services: ActivityServices, host: CaseHost): Record<string, unknown> {
  const { book } = host;
  const own = createActivities({
    ...services,
    stepMock(call) {
      const entry = book.known(call.executionId);
      return entry?.run.mockedResult(entry.workflow, call);
    },
  });
  const { database } = services;

  async function inCase(name: string, activity: Activity, call: Call, more: unknown[]): Promise<unknown> {
    const { executionId } = call;
    const entry = executionId === undefined ? undefined : await book.entryOf(database, executionId);
    if (executionId === undefined || !entry) return activity(call, ...more);
    const { run } = entry;
    if (run.begins(executionId)) {
      // The database wrote the machine's time.
      const startedAt = new Date(run.clock.now);
      await database.execution.updateMany({ where: { id: executionId }, data: { startedAt } });
    }
    reachWaited(run, executionId, name, call);
    const result = await atTime(
      () => run.clock.now,
      () => activity(call, ...more),
    );
    const { outcome, outcomes = outcome ? [outcome] : [], endStatus } = (result ?? {}) as Result;
    if (executionId === run.executionId && (endStatus !== undefined || name === 'endExecution')) run.ended();
    for (const each of outcomes) await settled(run, entry.workflow, { ...call, executionId }, each);
    return result;
  }

  async function settled(run: CaseRun, workflow: string, call: Call & { executionId: string }, outcome: Outcome) {
    const { executionId, iteration = '' } = call;
    const { nodeId } = outcome;
    run.clock.note(stepKey(executionId, iteration, nodeId), outcome);
    if (outcome.status !== 'NEEDS_INPUT') return;
    // The workflow's timer runs on the server's time.
    if (outcome.expiresAt !== undefined) outcome.expiresAt += (await host.serverTime()) - run.clock.now;
    await host.asked(run, { executionId, workflow, nodeId, iteration });
  }

  const timed = Object.entries(own).map(([name, activity]) => [
    name,
    (call: Call, ...more: unknown[]) => inCase(name, activity as Activity, call, more),
  ]);
  return { ...Object.fromEntries(timed), caseEvent: ({ event }: CaseEventRef) => host.event(event) };
}

function reachWaited(run: CaseRun, executionId: string, name: string, call: Call): void {
  const { iteration = '', nodeId, attempt = 1, start = [], end, wakeAt } = call;
  const { clock } = run;
  for (const each of start) clock.reachDue(stepKey(executionId, iteration, each.nodeId));
  if (nodeId !== undefined) {
    const step = stepKey(executionId, iteration, nodeId);
    if (name === 'runAction' && attempt > 1) clock.reachDue(step);
    if (name === 'showPause' && wakeAt === undefined) clock.reachDue(step);
    if (name === 'showPause' && wakeAt !== undefined) clock.pause(step);
  }
  const [, timeoutMs] = end?.status === 'TIMED_OUT' ? (/within (\d+) ms/.exec(end.reason ?? '') ?? []) : [];
  if (timeoutMs !== undefined) clock.reach(run.beganAt(executionId) + Number(timeoutMs));
}

/** Innermost last. */
export function indicesOf(iteration: string): number[] {
  return iterationParts(iteration).map(({ index }) => index);
}
