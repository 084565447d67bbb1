import type { NodeTestAnswer, NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import type { LoopScope } from '../../../domain/expression/scope.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { EngineAway } from '../../../engine/engineAway.ts';
import { nodeTestSpec, nodeTestWorkflowId } from '../../../engine/executions/nodeTests.ts';
import { insertNodeTest, takeNodeTest } from '../../../prisma/store/nodeTest/nodeTests.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { type NodeToTest, nodeToTest, type TestedNode } from './nodeToTest.ts';
import { nodeOfBody, nodeOfVersion } from './testedNode.ts';

/** Time for reaching a worker and returning, added to the attempt's. */
const MARGIN_MS = 10_000;
/** Additional lifetime of the row, in case this process dies. */
const KEEP_MS = 60_000;

/** Runs one node on a worker with the values of the body; stores nothing. */
export const testNode: Operation<'testNode'> = async ({ params, body, ...call }) => {
  const request = requestOf(body ?? {});
  return test(call, await nodeOfVersion(call.services, call.caller, params, request), request);
};

export const testUnsavedNode: Operation<'testUnsavedNode'> = async ({ body, ...call }) => {
  const request = requestOf(body);
  return test(call, await nodeOfBody(call.services, call.caller, body, request), request);
};

interface Call {
  caller: Caller;
  resourceId: string;
  services: Services;
  signal: AbortSignal;
}

async function test(
  { caller, resourceId, services, signal }: Call,
  tested: TestedNode,
  request: NodeTestRequest,
): Promise<NodeTestAnswer> {
  const node = await nodeToTest(services, caller, tested, request);
  const { nodeTestPlaces } = services;
  if (!(await nodeTestPlaces.enter(caller.workspaceId, signal)))
    throw signal.aborted ? new Problem('REQUEST_TIMEOUT', GONE) : new Problem('RATE_LIMITED', TOO_MANY, AGAIN);
  try {
    return await runTest(services, caller.workspaceId, resourceId, { ...node, request }, signal);
  } finally {
    nodeTestPlaces.leave(caller.workspaceId);
  }
}

const GONE = 'The caller closed the connection while its node test was waiting';
const TOO_MANY = 'Your workspace has the maximum of running and waiting node tests; try again when one has ended';
const AGAIN = { retryAfter: 1 };

interface Body {
  inputs?: object;
  trigger?: unknown;
  steps?: object;
  loop?: GivenLoop;
  loops?: Record<string, GivenLoop>;
}

interface GivenLoop {
  item?: unknown;
  index?: number;
  total?: number | undefined;
}

function requestOf({ inputs, trigger, steps, loop, loops }: Body): NodeTestRequest {
  const whole = (each: GivenLoop) => ({ index: 0, ...each }) as LoopScope;
  return {
    ...(inputs === undefined ? {} : { inputs: inputs as JsonObject }),
    trigger: (trigger ?? {}) as Json,
    steps: (steps ?? {}) as JsonObject,
    ...(loop ? { loop: whole(loop) } : {}),
    ...(loops ? { loops: Object.fromEntries(Object.entries(loops).map(([id, each]) => [id, whole(each)])) } : {}),
  };
}

async function runTest(
  { database, engine, config, log }: Services,
  workspaceId: string,
  testId: string,
  { of, node, label, request }: NodeToTest & { request: NodeTestRequest },
  signal: AbortSignal,
): Promise<NodeTestAnswer> {
  const timeoutMs = config.SYNC_RUN_TIMEOUT_MS;
  const keepMs = timeoutMs + MARGIN_MS + KEEP_MS;
  await insertNodeTest(database, workspaceId, { id: testId, of, nodeId: node.id, request, keepMs });
  const workflowIdOfTest = nodeTestWorkflowId(testId);
  const startedAt = Date.now();
  let hasEnded = false;
  let answer: NodeTestAnswer | undefined;
  try {
    await engine.workflows.start(nodeTestSpec({ workspaceId, testId, label, timeoutMs }));
    hasEnded = await endOrGone(engine.workflows.untilEnded(workflowIdOfTest, timeoutMs + MARGIN_MS), signal);
  } catch (error) {
    if (!(error instanceof EngineAway)) throw error;
  } finally {
    answer = await takeNodeTest(database, workspaceId, testId);
    if (!hasEnded) {
      await engine.workflows
        .cancel(workflowIdOfTest)
        .catch(() => log.warn({ testId }, 'the test of a node could not be cancelled'));
    }
  }
  if (answer) return answer;
  if (!hasEnded) throw new EngineAway(new Error('The test did not end in time'));
  // It ended without an answer because its worker died, or somebody terminated it in the engine.
  const error = { code: 'WORKER_LOST', message: 'The worker that ran the test died: test again', attempt: 1 };
  return { status: 'FAILED', output: null, error, durationMs: Date.now() - startedAt };
}

async function endOrGone(ended: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  let gone: () => void = () => undefined;
  const left = new Promise<boolean>((resolve) => {
    gone = () => resolve(false);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
  });
  try {
    return await Promise.race([ended, left]);
  } finally {
    signal.removeEventListener('abort', gone);
  }
}
