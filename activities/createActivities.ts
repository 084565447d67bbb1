import type { ActionTask, EndCall, ExecutionActivities, RegionCall } from '../domain/execution/activityCalls.ts';
import { endExecution } from './execution/endExecution.ts';
import { runAction } from './execution/runAction.ts';
import { runRegion } from './execution/runRegion.ts';
import { guarded } from './guardedActivity.ts';
import type { ActivityServices } from './services.ts';

/** What a worker hosts. */
export function createActivities(services: ActivityServices): ExecutionActivities {
  const { log } = services;
  return {
    runRegion: guarded('runRegion', log, (call: RegionCall) => runRegion(services, call)),
    runAction: guarded('runAction', log, (task: ActionTask) => runAction(services, task)),
    endExecution: guarded('endExecution', log, (call: EndCall) => endExecution(services, call)),
  };
}
