import type { OpenQuestion } from './queries/executions.ts';

/**
 * The forms of an execution's page, in the order of the questions: the first `most` open ones, and all that its person wrote
 * in, open or not. `left`: how many open ones are not among them.
 */
export function questionsToShow(
  open: readonly OpenQuestion[],
  written: ReadonlyMap<string, OpenQuestion>,
  most: number,
): { shown: OpenQuestion[]; left: number } {
  const first = open.filter(({ stepId }, at) => at < most || written.has(stepId));
  const ids = new Set(open.map(({ stepId }) => stepId));
  const closed = [...written.values()].filter(({ stepId }) => !ids.has(stepId));
  const shown = [...first, ...closed].sort((one, other) =>
    one.requestedAt < other.requestedAt ? -1 : one.requestedAt > other.requestedAt ? 1 : 0,
  );
  return { shown, left: open.length - first.length };
}
