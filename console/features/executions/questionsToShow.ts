import type { OpenQuestion } from './queries/executions.ts';

/** The first `most` open questions, and all with typed text, even if closed. `left`: the other open ones. */
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
