import type { Mailer } from '../mail/mailer.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { compareOpen } from './compareOpen.ts';
import { deliverEvents, handleFailures, resendInputs, syncSchedules, wakeSteps } from './delegated.ts';
import { deliverEnds } from './deliverEnds.ts';
import type { Duty, DutyParts } from './duty.ts';
import { endFailedWorkflows } from './endFailedWorkflows.ts';
import { forgetFacts, forgetItems, forgetOld, forgetStateChanges, forgetTasks, sweepExpired } from './forget.ts';
import { sendMails } from './sendMails.ts';
import { startUnstarted } from './startUnstarted.ts';
import { tendIngestions } from './tendIngestions.ts';
import { drainQueues, foldItemCounts, releaseHeld } from './tendQueues.ts';
import { compareTurns, forgetChunks, startTurns, stopAbandonedTurns } from './tendTurns.ts';
import { watchWorkers } from './watchWorkers.ts';

/** Days after which old rows are deleted; 0 keeps executions, items, tasks, state changes or audit entries for ever. */
export interface Retention {
  executionDays: number;
  queueItemDays: number;
  taskDays: number;
  stateChangeDays: number;
  objectChangeDays: number;
  eventDays: number;
  auditDays: number;
}

/** Returns all duties. Those that delete old rows run every `sweepMs`, that of workers every `workersMs`, others every `intervalMs`. */
export function allDuties(
  parts: DutyParts,
  { intervalMs, sweepMs, workersMs }: { intervalMs: number; sweepMs: number; workersMs: number },
  { executionDays, queueItemDays, taskDays, stateChangeDays, ...days }: Retention,
  mails: { mailer: Mailer; sealer: Sealer } | undefined,
): Duty[] {
  return [
    handleFailures(parts, intervalMs),
    startUnstarted(parts, intervalMs),
    deliverEnds(parts, intervalMs),
    resendInputs(parts, intervalMs),
    wakeSteps(parts, intervalMs),
    endFailedWorkflows(parts, intervalMs),
    compareOpen(parts, intervalMs),
    releaseHeld(parts, intervalMs),
    drainQueues(parts, intervalMs),
    syncSchedules(parts, intervalMs),
    sweepExpired(parts, days, sweepMs),
    foldItemCounts(parts, intervalMs),
    startTurns(parts, intervalMs),
    compareTurns(parts, intervalMs),
    stopAbandonedTurns(parts, intervalMs),
    forgetChunks(parts, sweepMs),
    forgetFacts(parts, sweepMs),
    tendIngestions(parts, intervalMs),
    watchWorkers(parts, workersMs),
    deliverEvents(parts, intervalMs),
    ...(mails ? [sendMails({ ...parts, ...mails }, intervalMs)] : []),
    ...(executionDays === 0 ? [] : [forgetOld(parts, executionDays, sweepMs)]),
    ...(queueItemDays === 0 ? [] : [forgetItems(parts, queueItemDays, sweepMs)]),
    ...(taskDays === 0 ? [] : [forgetTasks(parts, taskDays, sweepMs)]),
    ...(stateChangeDays === 0 ? [] : [forgetStateChanges(parts, stateChangeDays, sweepMs)]),
  ];
}
