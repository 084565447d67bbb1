import { anyDueEnd, claimDueEnds } from '../../prisma/store/execution/endRequests.ts';
import { deliverEnd } from '../executions/deliverEnd.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

const AT_ONCE = 10;

export function deliverEnds(
  parts: Pick<DutyParts, 'database' | 'engine' | 'feed' | 'releaser' | 'log'>,
  intervalMs: number,
): Duty {
  return {
    name: 'deliver requests to end',
    intervalMs,
    due: anyDueEnd,
    run: (stopped, _repaired, buckets) =>
      inRounds(stopped, async () => {
        const due = await claimDueEnds(parts.database, buckets, BATCH);
        const lanes = Array.from({ length: AT_ONCE }, (_, lane) => due.filter((_row, at) => at % AT_ONCE === lane));
        await Promise.all(lanes.map((rows) => rowByRow(parts.log, rows, (row) => deliverEnd(parts, row))));
        return due.length === BATCH;
      }),
  };
}
