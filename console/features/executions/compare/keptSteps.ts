import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../app/session/session.ts';
import type { ExecutionStep, ExecutionWhole } from '../queries/executions.ts';
import { placeOf } from './compared.ts';

/** Steps of an execution, with those that a retry kept inside loops: these stand in the execution that ran them. */
export interface WholePath {
  steps: ExecutionStep[];
  /** The execution where a step stands; the one itself where absent. */
  homes: ReadonlyMap<string, string>;
  /** Of one of these executions older items are not here. */
  isLeftOut: boolean;
}

type Path = Pick<ExecutionWhole, 'id' | 'executionPath' | 'retryOf' | 'stepsLeftOut'>;

/** A loop that a retry kept as a whole, so that its items are in the execution before. */
const isKeptWhole = ({ reused, iterations }: ExecutionStep) =>
  reused === true && iterations !== undefined && iterations.reused === undefined;

const own = ({ executionPath = [], stepsLeftOut }: Path): WholePath => ({
  steps: executionPath,
  homes: new Map(),
  isLeftOut: stepsLeftOut !== undefined,
});

/** Reads executions before this one as long as loops were kept as a whole. */
async function wholePath(execution: Path, signal: AbortSignal): Promise<WholePath> {
  const here = own(execution);
  const { retryOf } = execution;
  const kept = new Set(here.steps.filter(isKeptWhole).map(placeOf));
  if (kept.size === 0 || retryOf == null) return here;
  const before = await client.getExecution({
    path: { executionId: retryOf.id },
    query: { expansion: 'executionPath,retryOf' },
    signal,
  });
  const there = await wholePath(before, signal);
  const inside = there.steps.filter((step) => loopsAround(step).some((place) => kept.has(place)));
  const within = (place: string) => inside.filter((step) => loopsAround(step).includes(place));
  return {
    steps: here.steps.flatMap((step) => (isKeptWhole(step) ? [step, ...within(placeOf(step))] : [step])),
    homes: new Map(inside.map(({ id }) => [id, there.homes.get(id) ?? before.id])),
    isLeftOut: here.isLeftOut || there.isLeftOut,
  };
}

/** The places of the loops in whose items a step is. */
function loopsAround({ iteration }: ExecutionStep): string[] {
  return iteration.map(({ nodeId }, depth) => placeOf({ nodeId, iteration: iteration.slice(0, depth) }));
}

/** Of an execution that was read, for `useQuery`. */
export const keptSteps = (execution: Path) =>
  queryOptions({
    queryKey: ['keptSteps', execution.id, execution.executionPath?.length],
    queryFn: ({ signal }) => wholePath(execution, signal),
    enabled: execution.retryOf != null && execution.executionPath?.some(isKeptWhole) === true,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What is known before they are read. */
export const ownSteps = own;
