import { queryOptions } from '@tanstack/react-query';
import type { RetryRequest } from '../../../../domain/execution/executionRetry.ts';
import {
  type ReopeningPlaces,
  reopeningPlaces,
  type SurePreview,
  surePreview,
} from '../../../../domain/execution/retryPreview.ts';
import { answersBefore, notReusable } from '../../../../domain/execution/retryReuse.ts';
import { Problem } from '../../../../domain/problem.ts';
import type { Edge, Node } from '../../../../domain/workflow/definition.ts';
import { type PlannedDefinition, plannedDefinition } from '../../../../domain/workflow/planOf.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import type { ExecutionStep, ExecutionWhole } from './executions.ts';
import { hasFailedItems } from './steps.ts';

export interface RetryForm {
  fromStep: string;
  version: 'original' | 'latest';
  loopsAgain: boolean;
  failedItems: boolean;
  /** True if the trigger's values differ: then no answer of a person is reused. */
  changesInput: boolean;
}

/** Counts of a loop that resumes: `kept` items are reused, `again` items run again. */
interface Items {
  kept: number;
  again: number;
}

interface Known {
  preview: SurePreview;
  steps: ReadonlyMap<string, ExecutionStep>;
  /** By loop id. Omits loops whose counts would require a look into each iteration. */
  items: ReadonlyMap<string, Items>;
  nameOf: (nodeId: string) => string;
}

type Foreseen = Known | { refused: string } | { unknown: true };

const PAGE = 1_000;
/** The preview gives up if a node has more steps; the server checks them when the retry starts. */
const MAX_STEPS = 20_000;

/** Previews what a retry would reuse, by the server's rule. The server decides when the retry starts. */
export function foreseenRetry(execution: ExecutionWhole, form: RetryForm) {
  return queryOptions({
    queryKey: ['retry', execution.id, form],
    queryFn: ({ signal }) => foresee(execution, form, signal),
    staleTime: 5_000,
  });
}

async function foresee(execution: ExecutionWhole, form: RetryForm, signal: AbortSignal): Promise<Foreseen> {
  const { fromStep, loopsAgain, failedItems, version, changesInput } = form;
  const request: RetryRequest = {
    ...(fromStep === '' ? {} : { fromStep }),
    ...(loopsAgain ? { loops: 'again' } : {}),
    ...(failedItems ? { failedItems: 'again' } : {}),
    ...(changesInput ? { input: {} } : {}),
  };
  const steps: ExecutionStep[] = [];
  for await (const step of stepsOf(execution.id, 'iteration:', signal)) steps.push(step);
  const earlier = {
    status: execution.status ?? 'FAILED',
    steps: steps.map(({ nodeId, status, handle = null }) => ({ nodeId, status, handle })),
  };
  const before = planned(execution);
  const after = version === 'latest' ? await latest(execution, before, signal) : before;
  try {
    const places = reopeningPlaces(earlier, request, before, after);
    const reopened = new Set<string>();
    const unsure = new Set<string>();
    for (const place of places) {
      const loop = steps.find(({ nodeId }) => nodeId === place.loopId);
      const isAgain = loop !== undefined && (await isReopened(execution.id, loop, place, signal));
      if (isAgain === undefined) unsure.add(place.loopId);
      else if (isAgain) reopened.add(place.loopId);
    }
    const preview = surePreview(earlier, request, before, after, reopened, unsure);
    if (preview === undefined) return { unknown: true };
    const { kept, goesOn: opened } = preview;
    const answers = changesInput && fromStep !== '' ? answersBefore(after.plan, { kept, opened }, fromStep) : new Map();
    if (answers.size > 0) return { refused: notReusable(answers).message };
    const begun = new Map(steps.map((step) => [step.nodeId, step]));
    const nameOf = (id: string) => begun.get(id)?.label ?? after.nodes.get(id)?.node.name ?? id;
    const items = itemsOf(preview.goesOn, places, begun, after);
    return { preview, steps: begun, items, nameOf };
  } catch (error) {
    if (error instanceof Problem) return { refused: error.message };
    throw error;
  }
}

function itemsOf(
  goesOn: readonly string[],
  places: readonly ReopeningPlaces[],
  begun: ReadonlyMap<string, ExecutionStep>,
  after: PlannedDefinition,
): Map<string, Items> {
  const looksInside = new Set(
    places.flatMap(({ loopId, nodes, loops, failed }) =>
      nodes.length + loops.length > 0 || failed.some((id) => id !== loopId) ? [loopId] : [],
    ),
  );
  const items = new Map<string, Items>();
  for (const id of goesOn) {
    const step = begun.get(id);
    // In a `repeat` loop, all iterations after one that runs again also run again.
    if (looksInside.has(id) || after.nodes.get(id)?.node.type !== 'forEach' || step?.iterations === undefined) continue;
    const { completed, failed, total = completed + failed } = step.iterations;
    items.set(id, { kept: completed, again: total - completed });
  }
  return items;
}

const PARTS = ['nodes', 'edges'] as const;

function planned({ nodes, edges }: Partial<Record<(typeof PARTS)[number], readonly unknown[]>>) {
  if (nodes === undefined || edges === undefined) throw new Error('The definition was not answered.');
  return plannedDefinition({ nodes: nodes as Node[], edges: edges as Edge[] });
}

function stepsOf(executionId: string, filterBy: string, signal: AbortSignal) {
  return client.paginate('listExecutionSteps', { path: { executionId }, query: { filterBy, limit: PAGE }, signal });
}

/** Returns the newest definition. If the execution ran that version, returns `own`: the rule compares objects. */
async function latest({ workflow, workflowVersion }: ExecutionWhole, own: PlannedDefinition, signal: AbortSignal) {
  const path = { workflowId: workflow?.id ?? '' };
  const read = (expansion: string) => client.getWorkflow({ path, query: { expansion }, signal });
  const newest = await read(['version', ...PARTS].join(','));
  return newest.version === workflowVersion ? own : planned(await withLeftOut(newest, PARTS, read));
}

/** Whether an iteration of the loop reached a place that runs again. Undefined if there are too many steps to check. */
async function isReopened(
  executionId: string,
  loop: ExecutionStep,
  { loopId, nodes, loops, failed }: ReopeningPlaces,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { id, step } = await iterationsOf(executionId, loop, signal);
  const runsAgain = (each: ExecutionStep) =>
    (loops.includes(each.nodeId) && hasIterations(each)) || (failed.includes(each.nodeId) && hasFailedItems(each));
  if (runsAgain(step)) return true;
  const inside = new Set([...loops, ...failed].filter((each) => each !== loopId));
  const filterOf = (nodeId: string) => `nodeId:${nodeId},iteration:${loopId}`;
  for (const nodeId of nodes) {
    const query = { filterBy: filterOf(nodeId), limit: 1 };
    if ((await client.listExecutionSteps({ path: { executionId: id }, query, signal })).length > 0) return true;
  }
  let looked = 0;
  for (const nodeId of inside) {
    for await (const each of stepsOf(id, filterOf(nodeId), signal)) {
      if (runsAgain(each)) return true;
      looked += 1;
      if (looked >= MAX_STEPS) return undefined;
    }
  }
  return false;
}

function hasIterations({ iterations }: ExecutionStep): boolean {
  return iterations !== undefined && iterations.completed + iterations.failed > 0;
}

/** Follows retries that reused the whole loop to the execution that stores its iterations. */
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

/** Secrets are masked. */
export function startedWith({ id, input }: ExecutionWhole) {
  return queryOptions({
    queryKey: ['getExecutionInput', id],
    queryFn: async ({ signal }): Promise<unknown> =>
      (input ?? (await client.getExecutionInput({ path: { executionId: id }, signal }))).trigger,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
