import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ExecutionActivities, LocalHint } from '../domain/execution/activityCalls.ts';
import type { ChildActivities } from '../domain/execution/childExecution.ts';
import type { NodeTestActivities } from '../domain/execution/nodeTest.ts';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';
import type { IngestionActivities } from '../domain/knowledge/ingestion.ts';
import { endTurn } from '../engine/turns/endTurn.ts';
import { stopTurn } from '../engine/turns/stopTurn.ts';
import { acceptToolCall } from './agents/acceptToolCall.ts';
import { callModel } from './agents/callModel.ts';
import { callTool } from './agents/callTool.ts';
import { awaitTurn } from './agents/childTurn.ts';
import { nameTask } from './agents/nameTask.ts';
import { settleToolCall } from './agents/settleToolCall.ts';
import { followCall } from './agents/tools/agent.ts';
import { askLoop } from './execution/askLoop.ts';
import { awaitExecution, awaitIterations } from './execution/awaitStarted.ts';
import { endExecution } from './execution/endExecution.ts';
import { endIteration } from './execution/endIteration.ts';
import { isHeld, releaseNext } from './execution/heldExecution.ts';
import { loadPlan } from './execution/loadPlan.ts';
import { carefully } from './execution/lostTries.ts';
import { remainingIterations } from './execution/remainingIterations.ts';
import { runAction } from './execution/runAction.ts';
import { runRegion } from './execution/runRegion.ts';
import { showPause } from './execution/showSteps.ts';
import { takeOver } from './execution/takeOver.ts';
import { workerArgument } from './execution/workerNode.ts';
import { guarded } from './guardedActivity.ts';
import { embedParts, finishDocument, splitDocument } from './knowledge/ingestion.ts';
import { runNodeTest } from './nodeTests/runNodeTest.ts';
import type { ActivityServices } from './services.ts';
import { acceptScheduled } from './triggers/acceptScheduled.ts';
import { pollTrigger } from './triggers/pollTrigger.ts';

type Activities = ExecutionActivities &
  ChildActivities &
  TriggerActivities &
  NodeTestActivities &
  TurnActivities &
  IngestionActivities;

type Worked = Parameters<ActivityServices['tracing']['inActivity']>[0];

export function createActivities(services: ActivityServices): Activities {
  const { log, config, tracing } = services;
  const host = <A, R>(
    name: keyof Activities,
    activity: (services: ActivityServices, call: A, hint: LocalHint) => Promise<R>,
  ) => {
    const options = { log, maxTries: config.INTERNAL_FAILURE_TRIES };
    const run = guarded(name, options, (call: A, hint) => activity(services, call, hint));
    return (call: A, hint?: LocalHint) => tracing.inActivity(call as Worked, () => run(call, hint));
  };
  return {
    loadPlan: host('loadPlan', loadPlan),
    runRegion: host('runRegion', runRegion),
    runAction: host('runAction', runAction),
    workerArgument: host('workerArgument', workerArgument),
    awaitExecution: host('awaitExecution', awaitExecution),
    awaitIterations: host('awaitIterations', awaitIterations),
    endIteration: host('endIteration', carefully('end', endIteration)),
    askLoop: host('askLoop', carefully('ask', askLoop)),
    remainingIterations: host('remainingIterations', remainingIterations),
    showPause: host('showPause', showPause),
    isHeld: host('isHeld', isHeld),
    takeOver: host('takeOver', takeOver),
    releaseNext: host('releaseNext', releaseNext),
    acceptScheduled: host('acceptScheduled', acceptScheduled),
    pollTrigger: host('pollTrigger', pollTrigger),
    runNodeTest: host('runNodeTest', runNodeTest),
    splitDocument: host('splitDocument', splitDocument),
    embedParts: host('embedParts', embedParts),
    finishDocument: host('finishDocument', finishDocument),
    endExecution: host('endExecution', carefully('end', endExecution)),
    callModel: host('callModel', callModel),
    acceptToolCall: host('acceptToolCall', acceptToolCall),
    callTool: host('callTool', callTool),
    followCall: host('followCall', followCall),
    settleToolCall: host('settleToolCall', settleToolCall),
    endTurn: host('endTurn', endTurn),
    nameTask: host('nameTask', nameTask),
    stopTurn: host('stopTurn', stopTurn),
    awaitTurn: host('awaitTurn', awaitTurn),
  };
}
