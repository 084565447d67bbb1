import { queryOptions } from '@tanstack/react-query';
import type { RetryRequest } from '../../domain/execution/executionRetry.ts';
import {
  type ReopeningPlaces,
  type RetryPreview,
  reopeningPlaces,
  retryPreview,
} from '../../domain/execution/retryPreview.ts';
import { Problem } from '../../domain/problem.ts';
import type { Edge, Node } from '../../domain/workflow/definition.ts';
import { type PlannedDefinition, plannedDefinition } from '../../domain/workflow/planOf.ts';
import { client } from '../session.ts';
import type { ExecutionStep, ExecutionWhole } from './executions.ts';

export interface RetryForm {
  fromStep: string;
  version: 'original' | 'latest';
  loopsAgain: boolean;
}

/** The preview of a retry with the steps that it is about, or why it would be refused. */
export type Foreseen =
  | { preview: RetryPreview; steps: ReadonlyMap<string, ExecutionStep>; nameOf: (nodeId: string) => string }
  | { refused: string };

const MOST_STEPS = 1_000;

/** What a retry of an ended execution would keep, computed here by the rule of the server, which decides when it starts. */
export function foreseenRetry(execution: ExecutionWhole, form: RetryForm) {
  return queryOptions({
    queryKey: ['retry', execution.id, form],
    queryFn: ({ signal }) => foresee(execution, form, signal),
    staleTime: 5_000,
  });
}

async function foresee(execution: ExecutionWhole, form: RetryForm, signal: AbortSignal): Promise<Foreseen> {
  const { fromStep, loopsAgain, version } = form;
  const request: RetryRequest = {
    ...(fromStep === '' ? {} : { fromStep }),
    ...(loopsAgain ? { loops: 'again' } : {}),
  };
  const steps = await client.listExecutionSteps({
    path: { executionId: execution.id },
    query: { filterBy: 'iteration:', limit: MOST_STEPS },
    signal,
  });
  const earlier = {
    status: execution.status ?? 'FAILED',
    steps: steps.map(({ nodeId, status, handle = null }) => ({ nodeId, status, handle })),
  };
  const before = planned(execution.nodes, execution.edges);
  const after = version === 'latest' ? await latest(execution, before, signal) : before;
  try {
    const places = reopeningPlaces(earlier, request, before, after);
    const reopened = new Set<string>();
    for (const place of places) {
      const loop = steps.find(({ nodeId }) => nodeId === place.loopId);
      if (loop !== undefined && (await isReopened(execution.id, loop, place, signal))) reopened.add(place.loopId);
    }
    const preview = retryPreview(earlier, request, before, after, reopened);
    const begun = new Map(steps.map((step) => [step.nodeId, step]));
    const nameOf = (id: string) => begun.get(id)?.label ?? after.nodes.get(id)?.node.name ?? id;
    return { preview, steps: begun, nameOf };
  } catch (error) {
    if (error instanceof Problem) return { refused: error.message };
    throw error;
  }
}

function planned(nodes: readonly unknown[] = [], edges: readonly unknown[] = []): PlannedDefinition {
  return plannedDefinition({ nodes: nodes as Node[], edges: edges as Edge[] });
}

/** Of the newest version; the same object where the execution ran it: the rule tells by that. */
async function latest({ workflow, workflowVersion }: ExecutionWhole, own: PlannedDefinition, signal: AbortSignal) {
  const query = { expansion: 'version,nodes,edges' };
  const newest = await client.getWorkflow({ path: { workflowId: workflow?.id ?? '' }, query, signal });
  return newest.version === workflowVersion ? own : planned(newest.nodes, newest.edges);
}

/** Whether an iteration of the loop has been where iterations run again. */
async function isReopened(
  executionId: string,
  loop: ExecutionStep,
  { loopId, nodes, loops }: ReopeningPlaces,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, step } = await iterationsOf(executionId, loop, signal);
  if (loops.includes(loopId) && hasIterations(step)) return true;
  const inside = loops.filter((each) => each !== loopId);
  for (const nodeId of [...nodes, ...inside]) {
    const query = { filterBy: `nodeId:${nodeId},iteration:${loopId}`, limit: inside.includes(nodeId) ? MOST_STEPS : 1 };
    const found = await client.listExecutionSteps({ path: { executionId: id }, query, signal });
    if (inside.includes(nodeId) ? found.some(hasIterations) : found.length > 0) return true;
  }
  return false;
}

function hasIterations({ iterations }: ExecutionStep): boolean {
  return iterations !== undefined && iterations.completed + iterations.failed > 0;
}

/** Where the iterations of a loop stand: of one that a retry kept as a whole, in the execution that ran it. */
async function iterationsOf(executionId: string, step: ExecutionStep, signal: AbortSignal) {
  let [id, own] = [executionId, step];
  while (own.reused === true && own.iterations?.reused === undefined) {
    const { retryOf } = await client.getExecution({
      path: { executionId: id },
      query: { expansion: 'retryOf' },
      signal,
    });
    if (retryOf == null) break;
    const query = { filterBy: `nodeId:${own.nodeId},iteration:`, limit: 1 };
    const [earlier] = await client.listExecutionSteps({ path: { executionId: retryOf.id }, query, signal });
    if (earlier === undefined) break;
    [id, own] = [retryOf.id, earlier];
  }
  return { id, step: own };
}
