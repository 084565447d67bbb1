import type { OpenQuestion } from './queries/executions.ts';

/**
 * Returns the questions that an execution's page shows, in order: the first `most` open ones, and all in which the user
 * has typed, even if they are closed. `left`: the number of other open questions.
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
