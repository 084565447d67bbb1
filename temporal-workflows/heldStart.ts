import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import type { HoldState } from '../domain/execution/activityCalls.ts';
import type { ExecutionRef } from '../domain/execution/executionRef.ts';
import { showDetails } from './currentDetails.ts';
import { local } from './localActivities.ts';
import { EXECUTION_RELEASED } from './names.ts';

const executionReleased = defineSignal(EXECUTION_RELEASED);

/**
 * The row decides; the signal only triggers a read. So an early signal is not lost, and a repeated one has no effect.
 */
export async function untilReleased(ref: ExecutionRef): Promise<HoldState> {
  let isReleased = false;
  setHandler(executionReleased, () => {
    isReleased = true;
  });
  showDetails(() => 'Held by its workflow: paused, or as many run as may');
  for (;;) {
    isReleased = false;
    const now = await local('Held?').isHeld(ref);
    if (!now.held) return now;
    await condition(() => isReleased);
  }
}
