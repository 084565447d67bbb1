/** Child workflows of one loop in one workflow, at most. */
const MOST_CHILDREN = 400;
/** Events that a child workflow leaves in its parent's history, at most. */
const EVENTS_PER_CHILD = 9;

/** What is left of a history's events. */
interface Budget {
  takeIterations(most: number, eventsEach: number): number;
}

/**
 * Iterations that each child is given where a workflow runs at most `size` of them: more than that where there would be
 * more children than the history has room for. Such a child divides its share in the same way, with a history of its
 * own, so that a history is as short for a loop in loops as for one of many long iterations.
 */
export function iterationsPerChild(iterations: number, size: number, budget: Budget): number {
  const workflows = Math.ceil(iterations / size);
  const children = Math.max(budget.takeIterations(Math.min(workflows, MOST_CHILDREN), EVENTS_PER_CHILD), 1);
  return size * Math.ceil(workflows / children);
}

/**
 * At most `most` iterations, so many that every lane is given as much to do, in `fewest` shares at least: what remains for one
 * alone runs with its part of the concurrency.
 */
export function evenShare(iterations: number, most: number, lanes: number, fewest = 1): number {
  const shares = Math.max(Math.ceil(iterations / most), fewest);
  return shares === 1 ? iterations : Math.ceil(iterations / (Math.ceil(shares / lanes) * lanes));
}
