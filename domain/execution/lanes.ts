/**
 * What one workflow has under way in the world outside, and the iterations that it runs at once. While a task of a workflow
 * runs, the server keeps what ends meanwhile, two events each, and by default not more than 100 events: beyond them it takes
 * the task away, and the history may never replay again (docs/architecture/facts.md).
 */
export const AT_ONCE = 40;

/** Iterations at once from which on a loop is divided among workflows that run side by side. */
const UNDIVIDED = 10;
/** Of what one of them runs at once: what ends together is one task of its workflow. */
const PER_WORKFLOW = 25;

/**
 * How many child workflows of a large loop run side by side: few, since each has tasks of its own, and two at least
 * where much runs at once, so that one goes on while the other comes to its end.
 */
export function lanesOf(concurrency: number): number {
  return Math.max(Math.ceil(concurrency / PER_WORKFLOW), concurrency > UNDIVIDED ? 2 : 1);
}
