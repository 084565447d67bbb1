import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';

// What bounds one workflow: how much it has under way, how many events its history gets, and how a loop is divided for that.

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
 * Child workflows of a large loop that run side by side: few, since each has tasks of its own, and two at least where much runs
 * at once, so that one goes on while the other comes to its end.
 */
export function lanesFor(concurrency: number): number {
  return Math.max(Math.ceil(concurrency / PER_WORKFLOW), concurrency > UNDIVIDED ? 2 : 1);
}

/** Events that the loops of one workflow may leave in its history, by estimation. */
export const HISTORY_BUDGET = 5_000;

/**
 * Events for what is run again: retries of actions, and calls of loops that regions run. What needs more of it goes on in a
 * workflow of its own (runNode.ts).
 */
export const REPEATS_BUDGET = 2_000;

/** How much of a loop one workflow runs, at most; events by estimation. */
interface Capacity {
  iterations: number;
  events: number;
}

/** Of a workflow that has more to do. */
const SMALL: Capacity = { iterations: 100, events: 4_000 };
/** Of a child workflow: each is some twenty events and their writes, which few iterations feel. */
export const LARGE: Capacity = { iterations: 500, events: 7_000 };
/** Of the iterations of a large child and of the loops in them. */
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

/** Of a further attempt: its timer, and the attempt itself. */
export const EVENTS_PER_RETRY = 11;
/** Of another call of a region that runs a loop: its timer, and the call. */
export const EVENTS_PER_REGION = 7;
/** Of a child workflow, in its parent's history. */
const EVENTS_PER_CHILD = 9;

/**
 * Events that one iteration of the loop leaves in a history, by estimation: what is run again has its own part of the history, and
 * long loops inside come on top.
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

/** What is left of a history's events. */
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
 * At most `most` iterations, so many that every lane is given as much to do, in `fewest` slices at least: what remains for one
 * alone runs with its part of the concurrency.
 */
export function evenSlice(iterations: number, most: number, lanes: number, fewest = 1): number {
  const slices = Math.max(Math.ceil(iterations / most), fewest);
  return slices === 1 ? iterations : Math.ceil(iterations / (Math.ceil(slices / lanes) * lanes));
}
