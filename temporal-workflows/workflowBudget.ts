import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';

// The limits of one workflow: parallel branches, events in its history, and the division of a loop to fit them.

/**
 * Most remote actions and iterations of one workflow at once. While a workflow task runs, the server buffers the ends
 * that arrive, two events each, by default at most 100 events: beyond them it takes the task away, and the history may
 * never replay again (docs/architecture/facts.md).
 */
export const AT_ONCE = 40;

/** Iterations at once from which on a loop is divided among workflows that run side by side. */
const UNDIVIDED = 10;
/** Iterations that one child runs at once; iterations that end together cost one workflow task. */
const PER_WORKFLOW = 25;

/**
 * Child workflows of a large loop that run side by side: few, since each has tasks of its own, and two at least where much runs
 * at once, so that one goes on while the other comes to its end.
 */
export function lanesFor(concurrency: number): number {
  return Math.max(Math.ceil(concurrency / PER_WORKFLOW), concurrency > UNDIVIDED ? 2 : 1);
}

/** Events that the loops of one workflow may leave in its history, by estimation. */
export const HISTORY_BUDGET = 5_000;

/**
 * Events for repetitions: retries of actions, and calls of loops in regions. A node that needs more continues in its
 * own workflow (runNode.ts).
 */
export const REPEATS_BUDGET = 2_000;

/** How much of a loop one workflow runs, at most; events by estimation. */
interface Capacity {
  iterations: number;
  events: number;
}

/** Capacity of a workflow with other work. */
const SMALL: Capacity = { iterations: 100, events: 4_000 };
/** Capacity of a child workflow: starting one costs some twenty events and their writes, little for many iterations. */
export const LARGE: Capacity = { iterations: 500, events: 7_000 };
/** Events of the iterations of a large child and of the loops inside them. */
const LARGE_HISTORY = 9_000;

const EVENTS: Record<PlanNode['type'], number> = {
  action: 9,
  input: 12,
  delay: 8,
  runWorkflow: 10,
  forEach: 9,
  repeat: 9,
  condition: 1,
  switch: 1,
  respond: 1,
  stop: 2,
};

/** Events of a further attempt: its timer, and the attempt itself. */
export const EVENTS_PER_RETRY = 11;
/** Events of a further call of a region loop: its timer, and the call. */
export const EVENTS_PER_REGION = 7;
/** Events of a child workflow in its parent's history. */
const EVENTS_PER_CHILD = 9;

/**
 * Estimated events of one iteration in a history. Repetitions have their own budget, and long loops inside are added.
 */
export function eventsPerIteration(plan: Plan, loop: PlanNode): number {
  const events = inside(plan, loop).map(({ type, placement, child, retry, iterate }) => {
    const isQuick = type === 'action' && placement === 'inline' && !child;
    const once = isQuick ? 1 : EVENTS[child ? 'runWorkflow' : type];
    return once + (retry !== undefined || iterate === 'inRegion' ? EVENTS_PER_CHILD : 0);
  });
  return events.reduce((sum, each) => sum + each, 4);
}

function inside(plan: Plan, loop: PlanNode): PlanNode[] {
  return loopPlan(plan, loop.id).nodes.filter(({ id }) => id !== loop.id);
}

/** Iterations that one workflow runs. */
export function iterationsPerWorkflow(eventsEach: number, { iterations, events } = SMALL): number {
  return Math.min(Math.max(Math.floor(events / eventsEach), 1), iterations);
}

/** Events that loops inside a child of so many iterations may leave in its history. */
export function eventsInside(iterations: number, eventsEach: number): number {
  return Math.max(LARGE_HISTORY - iterations * eventsEach, 0);
}

const LEAVING: ReadonlySet<string> = new Set(['input', 'delay', 'runWorkflow']);

/** Whether iterations leave the workflow: then signals and cancellations are heard meanwhile. */
export function leavesWorkflow(plan: Plan, loop: PlanNode): boolean {
  return loopPlan(plan, loop.id).nodes.some(
    ({ type, placement, child }) => placement === 'remote' || child || LEAVING.has(type),
  );
}

/** Child workflows of one loop in one workflow, at most. */
const MOST_CHILDREN = 400;

/** The remaining events of a history. */
interface Budget {
  takeIterations(most: number, eventsEach: number): number;
}

/**
 * Iterations that each child is given where a workflow runs at most `size` of them: more than that where there would be
 * more children than the history has room for. Such a child divides its slice in the same way, with a history of its
 * own, so that a history is as short for a loop in loops as for one of many long iterations.
 */
export function iterationsPerChild(iterations: number, size: number, budget: Budget): number {
  const workflows = Math.ceil(iterations / size);
  const children = Math.max(budget.takeIterations(Math.min(workflows, MOST_CHILDREN), EVENTS_PER_CHILD), 1);
  return size * Math.ceil(workflows / children);
}

/**
 * Size of a slice: at most `most` iterations, at least `fewest` slices, and as many slices for every lane, because a
 * slice that is left alone runs with only its part of the concurrency.
 */
export function evenSlice(iterations: number, most: number, lanes: number, fewest = 1): number {
  const slices = Math.max(Math.ceil(iterations / most), fewest);
  return slices === 1 ? iterations : Math.ceil(iterations / (Math.ceil(slices / lanes) * lanes));
}
