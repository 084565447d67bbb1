import type { Mailer } from '../mail/mailer.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { compareOpen } from './compareOpen.ts';
import { deliverEvents, handleFailures, resendInputs, syncSchedules, wakeSteps } from './delegated.ts';
import { deliverEnds } from './deliverEnds.ts';
import type { Duty, DutyParts } from './duty.ts';
import { endFailedWorkflows } from './endFailedWorkflows.ts';
import { forgetFacts, forgetOld, sweepExpired } from './forget.ts';
import { sendMails } from './sendMails.ts';
import { startUnstarted } from './startUnstarted.ts';
import { tendIngestions } from './tendIngestions.ts';
import { drainQueues, foldItemCounts, releaseHeld } from './tendQueues.ts';
import { compareTurns, forgetChunks, startTurns, stopAbandonedTurns } from './tendTurns.ts';

/** Days after which old rows are deleted. */
export interface Retention {
  /** 0 keeps executions for ever. */
  executionDays: number;
  objectChangeDays: number;
  eventDays: number;
  /** 0 keeps entries of the audit log for ever. */
  auditDays: number;
}

/** All that is looked after. `mails` where the deployment sends some. */
export function allDuties(
  parts: DutyParts,
  intervalMs: number,
  { executionDays, ...days }: Retention,
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
    sweepExpired(parts, days, intervalMs),
    foldItemCounts(parts, intervalMs),
    startTurns(parts, intervalMs),
    compareTurns(parts, intervalMs),
    stopAbandonedTurns(parts, intervalMs),
    forgetChunks(parts, intervalMs),
    forgetFacts(parts, intervalMs),
    tendIngestions(parts, intervalMs),
    deliverEvents(parts, intervalMs),
    ...(mails ? [sendMails({ ...parts, ...mails }, intervalMs)] : []),
    ...(executionDays === 0 ? [] : [forgetOld(parts, executionDays, intervalMs)]),
  ];
}
