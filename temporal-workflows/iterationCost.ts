import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';

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
/** A child workflow that a node goes on in, when it is run again too often (Host.mayRepeat). */
const EVENTS_PER_CHILD = 9;

/**
 * Events that one iteration of the loop leaves in a history, by estimation: what is run again has its own part of the history, and
 * long loops inside come on top.
 */
export function eventsPerIteration(plan: Plan, loop: PlanNode): number {
  const events = inside(plan, loop).map(({ type, placement, retry, iterate }) => {
    const once = type === 'action' && placement === 'inline' ? 1 : EVENTS[type];
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
  return loopPlan(plan, loop.id).nodes.some(({ type, placement }) => placement === 'remote' || LEAVING.has(type));
}
