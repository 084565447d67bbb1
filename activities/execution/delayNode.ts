import { isTime, isWhole, LONGEST_MS } from '../../domain/workflow/controlLimits.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { invalid, resolveInputs } from './resolvedInputs.ts';
import { settleFailure, settleSuccess, stepRecord } from './stepSettlement.ts';

/** Waits for a duration or until a time; one that is past does not wait. */
export function delay(run: InlineRun): InlineSettlement {
  const resolved = resolveInputs(run.compiled, run.scope);
  if (!resolved.ok) return settleFailure(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { forMs, until } = resolved.inputs;
  const wakeAt = isWhole(forMs, 0, LONGEST_MS)
    ? attempt.startedAt.getTime() + forMs
    : isTime(until)
      ? Date.parse(until)
      : undefined;
  if (wakeAt === undefined) {
    const problem =
      until === undefined
        ? `forMs: expected a whole number of milliseconds from 0 to ${LONGEST_MS}, got ${JSON.stringify(forMs)}`
        : `until: expected a time such as 2026-11-21T10:15:30Z, got ${JSON.stringify(until)}`;
    return settleFailure(attempt, invalid(problem));
  }
  if (wakeAt - Date.now() > LONGEST_MS) {
    return settleFailure(attempt, invalid(`until: at most ${LONGEST_MS} ms from now`));
  }
  if (wakeAt <= Date.now()) return wokenUp(run, attempt);
  return {
    record: {
      ...stepRecord(run.compiled, run.label, run.attempt, run.iteration),
      status: 'WAITING',
      input: resolved.shown,
      startedAt: attempt.startedAt.toISOString(),
      wakeAt: new Date(wakeAt).toISOString(),
    },
    outcome: { nodeId: run.compiled.node.id, status: 'WAITING', wakeAt },
  };
}

/** The delay is over. */
export function wokenUp(run: InlineRun, attempt = attemptOf(run)): InlineSettlement {
  return settleSuccess(attempt, { resumedAt: new Date().toISOString() });
}
