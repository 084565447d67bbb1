import { closeEndedBadly } from './closeEndedBadly.ts';
import { compareOpen } from './compareOpen.ts';
import { drainQueues } from './drainQueues.ts';
import type { Duty, DutyParts } from './duty.ts';
import { forgetOld } from './forgetOld.ts';
import { handleFailures } from './handleFailures.ts';
import { releaseHeld } from './releaseHeld.ts';
import { resendInputs } from './resendInputs.ts';
import { startUnstarted } from './startUnstarted.ts';
import { sweepExpired } from './sweepExpired.ts';
import { syncSchedules } from './syncSchedules.ts';
import { expireLeases, foldItemCounts } from './tendQueues.ts';
import { compareTurns, forgetChunks, startTurns } from './tendTurns.ts';

/** All that is looked after. `retentionDays`: 0 keeps executions for ever. */
export function allDuties(parts: DutyParts, intervalMs: number, retentionDays: number): Duty[] {
  return [
    handleFailures(parts, intervalMs),
    startUnstarted(parts, intervalMs),
    resendInputs(parts, intervalMs),
    closeEndedBadly(parts, intervalMs),
    compareOpen(parts, intervalMs),
    releaseHeld(parts, intervalMs),
    drainQueues(parts, intervalMs),
    syncSchedules(parts, intervalMs),
    sweepExpired(parts, intervalMs),
    expireLeases(parts, intervalMs),
    foldItemCounts(parts, intervalMs),
    startTurns(parts, intervalMs),
    compareTurns(parts, intervalMs),
    forgetChunks(parts, intervalMs),
    ...(retentionDays === 0 ? [] : [forgetOld(parts, retentionDays, intervalMs)]),
  ];
}
