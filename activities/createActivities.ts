import type { ActionTask, EndCall, ExecutionActivities, RegionCall } from '../domain/execution/activityCalls.ts';
import type { ChildActivities } from '../domain/execution/childExecution.ts';
import type { PolledRun, ScheduledStart, TriggerActivities } from '../domain/execution/triggerCalls.ts';
import { awaitExecution } from './execution/awaitExecution.ts';
import { endExecution } from './execution/endExecution.ts';
import { runAction } from './execution/runAction.ts';
import { runRegion } from './execution/runRegion.ts';
import { guarded } from './guardedActivity.ts';
import type { ActivityServices } from './services.ts';
import { acceptScheduled } from './triggers/acceptScheduled.ts';
import { pollTrigger } from './triggers/pollTrigger.ts';

/** What a worker hosts. */
export function createActivities(
  services: ActivityServices,
): ExecutionActivities & ChildActivities & TriggerActivities {
  const { log } = services;
  return {
    runRegion: guarded('runRegion', log, (call: RegionCall) => runRegion(services, call)),
    runAction: guarded('runAction', log, (task: ActionTask) => runAction(services, task)),
    awaitExecution: guarded('awaitExecution', log, (ref: Parameters<ChildActivities['awaitExecution']>[0]) =>
      awaitExecution(services, ref),
    ),
    acceptScheduled: guarded('acceptScheduled', log, (start: ScheduledStart) => acceptScheduled(services, start)),
    pollTrigger: guarded('pollTrigger', log, (run: PolledRun) => pollTrigger(services, run)),
    endExecution: guarded('endExecution', log, (call: EndCall) => endExecution(services, call)),
  };
}
