import { releasableLines } from '../../prisma/store/execution/heldLines.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts } from './duty.ts';

/** What should go on and was not let go. */
export function releaseHeld(
  { database, releaser, log }: Pick<DutyParts, 'database' | 'releaser' | 'log'>,
  intervalMs: number,
): Duty {
  return {
    name: 'release what is held',
    intervalMs,
    async run() {
      const lines = await releasableLines(database, BATCH);
      await rowByRow(log, lines, ({ workspaceId, workflowId }) => releaser.release(workspaceId, workflowId));
    },
  };
}
