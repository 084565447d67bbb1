import { setTimeout as sleep } from 'node:timers/promises';
import { durationWritten } from '../../domain/durationWords.ts';
import { isTime, isWhole, MAX_MS } from '../../domain/workflow/controlLimits.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { invalid, type Resolved } from './resolvedInputs.ts';
import { type Attempt, settleFailedStep, settleSuccess } from './stepSettlement.ts';

/** A delay's timer fires this early: Temporal needs about this time to reach a region, which waits for the rest. */
const LEAD_MS = 30;

export function timerMs(wakeAt: number): number {
  return Math.max(wakeAt - LEAD_MS - Date.now(), 1);
}

/** Waits for a duration or until a time; a time in the past does not wait. */
export function startDelay(run: InlineRun, resolved: Resolved): InlineSettlement {
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { forMs, until } = resolved.inputs;
  const wakeAt = isWhole(forMs, 0, MAX_MS)
    ? attempt.startedAt.getTime() + forMs
    : isTime(until)
      ? Date.parse(until)
      : undefined;
  if (wakeAt === undefined) {
    const problem =
      until === undefined
        ? `forMs: expected a whole number of milliseconds from 0 to ${MAX_MS}, got ${JSON.stringify(forMs)}`
        : `until: expected a time such as 2026-11-21T10:15:30Z, got ${JSON.stringify(until)}`;
    return settleFailedStep(attempt, invalid(problem));
  }
  if (wakeAt - Date.now() > MAX_MS) {
    return settleFailedStep(attempt, invalid(`until: at most ${durationWritten(MAX_MS)} from now`));
  }
  if (wakeAt <= Date.now()) return resumed(attempt);
  return {
    record: {
      ...stepRecord(run.compiled, run.label, run.attempt, run.iteration),
      status: 'WAITING',
      input: resolved.shown,
      startedAt: attempt.startedAt.toISOString(),
      wakeAt: new Date(wakeAt).toISOString(),
    },
    outcome: { nodeId: run.compiled.node.id, status: 'WAITING', wakeAt, delayMs: timerMs(wakeAt) },
  };
}

/** Ends a delay after its timer has fired. `wakeAt` is its end, in epoch milliseconds. */
export async function endDelay(run: InlineRun, wakeAt: number): Promise<InlineSettlement> {
  // Another worker's clock may differ, so never wait longer than the lead. Node's timers may fire slightly early.
  const until = Math.min(wakeAt, Date.now() + LEAD_MS);
  for (let left = until - Date.now(); left > 0; left = until - Date.now()) await sleep(left);
  return resumed(attemptOf(run));
}

function resumed(attempt: Attempt): InlineSettlement {
  return settleSuccess(attempt, { resumedAt: new Date().toISOString() });
}
