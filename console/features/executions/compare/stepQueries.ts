import { queryOptions } from '@tanstack/react-query';
import { type ExecutionStep, type ExecutionWhole, readPath } from '../queries/executions.ts';
import { placeOf } from './compared.ts';

/** The steps of an execution, including reused loop steps, which are stored in the execution that ran them. */
export interface WholePath {
  steps: ExecutionStep[];
  /** The execution that stores a step, if it is not this one. */
  homes: ReadonlyMap<string, string>;
  /** Older iterations of one of the executions are missing. */
  isLeftOut: boolean;
}

type Path = Pick<ExecutionWhole, 'id' | 'executionPath' | 'retryOf' | 'stepsLeftOut'>;

/** Whether a retry reused the loop as a whole. The retried execution then stores its iterations. */
const isKeptWhole = ({ reused, iterations }: ExecutionStep) =>
  reused === true && iterations !== undefined && iterations.reused === undefined;

const own = ({ executionPath = [], stepsLeftOut }: Path): WholePath => ({
  steps: executionPath,
  homes: new Map(),
  isLeftOut: stepsLeftOut !== undefined,
});

/** Follows the retried executions for as long as loops were reused whole. */
async function wholePath(execution: Path, signal: AbortSignal): Promise<WholePath> {
  const here = own(execution);
  const { retryOf } = execution;
  const kept = new Set(here.steps.filter(isKeptWhole).map(placeOf));
  if (kept.size === 0 || retryOf == null) return here;
  const before = await readPath(retryOf.id, signal);
  const there = await wholePath(before, signal);
  const inside = there.steps.filter((step) => loopsAround(step).some((place) => kept.has(place)));
  const within = (place: string) => inside.filter((step) => loopsAround(step).includes(place));
  return {
    steps: here.steps.flatMap((step) => (isKeptWhole(step) ? [step, ...within(placeOf(step))] : [step])),
    homes: new Map(inside.map(({ id }) => [id, there.homes.get(id) ?? before.id])),
    isLeftOut: here.isLeftOut || there.isLeftOut,
  };
}

function loopsAround({ iteration }: ExecutionStep): string[] {
  return iteration.map(({ nodeId }, depth) => placeOf({ nodeId, iteration: iteration.slice(0, depth) }));
}

export const wholeSteps = (execution: Path) =>
  queryOptions({
    queryKey: ['wholeSteps', execution.id, execution.executionPath?.length],
    queryFn: ({ signal }) => wholePath(execution, signal),
    enabled: execution.retryOf != null && execution.executionPath?.some(isKeptWhole) === true,
    staleTime: Number.POSITIVE_INFINITY,
  });

export function comparedValues(one: ComparedPart, other: ComparedPart, isLarge: boolean) {
  return queryOptions({
    queryKey: ['compared', one.key, other.key],
    queryFn: () =>
      Promise.all([one, other].map(({ value, load }) => (load === undefined ? value : load())) as [unknown, unknown]),
    enabled: !isLarge && (one.load !== undefined || other.load !== undefined),
  });
}

export interface ComparedPart {
  key: string;
  value: unknown;
  bytes: number | undefined;
  /** Reads the value if the API sent a link to it. */
  load: (() => Promise<unknown>) | undefined;
}

/** The steps that are known before the reused ones are read. */
export const ownSteps = own;
