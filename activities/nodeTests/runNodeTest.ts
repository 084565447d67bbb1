import { CancelledFailure, Context } from '@temporalio/activity';
import type { WorkerTask } from '../../domain/app/workerTask.ts';
import {
  type NodeTestAnswer,
  type NodeTestOutcome,
  type NodeTestRun,
  shownAnswer,
  testedDefinition,
} from '../../domain/execution/nodeTest.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import { atTime } from '../../domain/expression/neededScope.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import { compileDefinition } from '../../domain/workflow/compile.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { isPolling } from '../../engine/customerWorkers.ts';
import { openedVariables } from '../../engine/executions/openedVariables.ts';
import { isOnlyWorkspace } from '../../prisma/store/execution/workerSteps.ts';
import { answerNodeTest, type OpenNodeTest, readNodeTest } from '../../prisma/store/nodeTest/nodeTests.ts';
import { readVariables } from '../../prisma/store/variable/variables.ts';
import { runInlineNode } from '../execution/inlineNode.ts';
import { attemptOf } from '../execution/inlineRun.ts';
import { performAction } from '../execution/performAction.ts';
import { settleFailedStep } from '../execution/stepSettlement.ts';
import { whileDatabaseAway } from '../execution/whileDatabaseAway.ts';
import { beginWorker, settleWorker } from '../execution/workerNode.ts';
import type { ActivityServices } from '../services.ts';
import { withHeartbeat } from '../withHeartbeat.ts';

/** Half of the throttle (worker/tuning.ts), which alone determines how soon a cancellation arrives. */
const HEARTBEAT_MS = 200;

export async function runNodeTest(
  services: ActivityServices,
  run: NodeTestRun,
): Promise<NodeTestOutcome | { task: WorkerTask }> {
  const { cancellationSignal } = Context.current();
  const { workspaceId, testId } = run;
  return withHeartbeat(HEARTBEAT_MS, async () => {
    const { database, log } = services;
    const test = await whileDatabaseAway(cancellationSignal, log, () => readNodeTest(database, workspaceId, testId));
    if (!test) return 'ABSENT';
    const answer = await perform(services, run, test, cancellationSignal);
    if (cancellationSignal.aborted) throw new CancelledFailure('The test was cancelled');
    if ('task' in answer) return answer;
    await whileDatabaseAway(cancellationSignal, log, () => answerNodeTest(database, workspaceId, testId, answer));
    return answer.status;
  });
}

async function perform(
  services: ActivityServices,
  { workspaceId, testId, timeoutMs, worked }: NodeTestRun,
  test: OpenNodeTest,
  signal: AbortSignal,
): Promise<NodeTestAnswer | { task: WorkerTask }> {
  const { database, apps, config, log } = services;
  const { nodeId, request, definition } = test;
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (!node) throw new Error(`The definition has no node ${nodeId}`);
  const catalogue = await whileDatabaseAway(signal, log, () => apps.of(workspaceId, definition));
  const own = compileDefinition({ ...definition, nodes: [node], edges: [] }, catalogue).nodes.get(nodeId);
  const maxMs = Math.min(node.timeoutMs ?? own?.action?.timeoutMs ?? config.ACTION_TIMEOUT_MS, timeoutMs);
  const tested = compileDefinition(testedDefinition(definition, node, request.inputs, maxMs), catalogue);
  const compiled = tested.nodes.get(nodeId);
  if (!compiled) throw new Error(`The definition has no node ${nodeId}`);

  const startedAt = new Date();
  const read = await whileDatabaseAway(signal, log, () =>
    readVariables(database, workspaceId, test.projectId, tested.variables),
  );
  const { label } = planNode(tested.plan, nodeId);
  const opened = openedVariables(services.vault, read);
  const scope = atTime(compiled, scopeOf(testId, test, opened, node.parentId, startedAt), startedAt);
  // Tests ask nobody: the links have the length of real ones but do not work.
  for (const id of compiled.references.links) {
    const link = services.links.linkOf({ executionId: testId, nodeId: id, iteration: '' });
    setKey(scope.steps, id, { ...ownMember(scope.steps, id), link });
  }
  const begun = { compiled, label, iteration: '', attempt: 1, startedAt };
  const at = { workspaceId, executionId: testId, nodeId, attempt: 1 };
  const inline = { ...at, ...begun, scope, lineageId: null };
  async function performed() {
    if (worked) return settleWorker(services, inline, worked);
    if (compiled?.action?.placement === 'worker') {
      const isOnly = await whileDatabaseAway(signal, log, () => isOnlyWorkspace(database));
      const workerFacts = { secrets: [], isOnlyWorkspace: isOnly };
      return beginWorker({ ...inline, workerFacts }, services, Number.POSITIVE_INFINITY);
    }
    if (node?.type === 'action') {
      const wasLost = Context.current().info.attempt > 1;
      return performAction(services, at, begun, { scope, lineageId: null, wasLost }, signal);
    }
    return runInlineNode(inline, services);
  }
  let { record, outcome } = await performed();
  if (outcome.status === 'WORKER') {
    const { task } = outcome;
    const kind = task.isWorkflow ? 'workflow' : 'activity';
    const pollers = await services.engine.customerWorkers.pollersOf(task.taskQueue, kind);
    if (pollers.some(isPolling)) return { task };
    const message = `no worker polls ${task.taskQueue}`;
    ({ record, outcome } = settleFailedStep(attemptOf(inline), { code: 'NO_WORKER', message, retryable: true }));
  }
  // Includes credentials in the output. No other part of the test contains them.
  const texts = record.secrets?.filter((each) => typeof each === 'string');
  return shownAnswer(answerOf(record), definition, request, [...(texts ?? []), ...(scope.secrets ?? [])]);
}

function scopeOf(
  testId: string,
  { request, workflowId, workflowName }: OpenNodeTest,
  opened: Pick<Scope, 'variables' | 'secrets'>,
  parentId: string | undefined,
  startedAt: Date,
): Scope {
  const { trigger, steps, loop, loops } = request;
  const around = { ...loops, ...(loop && parentId !== undefined ? { [parentId]: loop } : {}) };
  return {
    trigger,
    steps: Object.fromEntries(Object.entries(steps).map(([id, output]) => [id, { output }])),
    ...opened,
    ...(loop ? { loop } : {}),
    ...(Object.keys(around).length > 0 ? { loops: around } : {}),
    execution: { id: testId, number: 0, startedAt: startedAt.toISOString(), workflowId, workflowName },
  };
}

function answerOf({ status, output, error, handle, console, startedAt, stoppedAt }: StepRecord): NodeTestAnswer {
  return {
    status: status === 'COMPLETED' ? 'COMPLETED' : 'FAILED',
    output: output ?? null,
    ...(error ? { error } : {}),
    ...(handle === undefined ? {} : { handle }),
    ...(console ? { console } : {}),
    durationMs: Date.parse(stoppedAt ?? '') - Date.parse(startedAt ?? ''),
  };
}
