import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { successors } from '../domain/workflow/planIndex.ts';
import { loopPlan, scopePlan } from '../domain/workflow/scopePlan.ts';

// The limits of one workflow: parallel branches, events and bytes of its history, and the division of a loop to fit them.

/** The estimated size of something in a history, which contains ids and outcomes, neither plans nor data. */
export interface Cost {
  events: number;
  bytes: number;
}

/** An event with its ids, texts and task, by measurement (test/workflows/largeSubWorkflows.test.ts). */
const BYTES_PER_EVENT = 250;

/** How often the cost fits the budget. */
export function timesIn(budget: Cost, each: Cost): number {
  return Math.max(Math.floor(Math.min(budget.events / each.events, budget.bytes / each.bytes)), 0);
}

export function without(budget: Cost, each: Cost, times = 1): Cost {
  return { events: budget.events - times * each.events, bytes: budget.bytes - times * each.bytes };
}

/** The budget of so many events, each of the usual size. */
function usual(events: number): Cost {
  return { events, bytes: events * 2 * BYTES_PER_EVENT };
}

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
 * Iterations that are in step hand their outcomes to the server in one message, which takes 4 MiB: an iteration that
 * may hand over more than this takes several lanes.
 */
const BYTES_PER_LANE = 50_000;

/**
 * Child workflows of a large loop that run side by side: few, since each has tasks of its own, and two at least where much runs
 * at once, so that one continues while the other comes to its end.
 */
export function lanesFor(concurrency: number, lanesEach = 1): number {
  const atOnce = concurrency * lanesEach;
  const workflows = Math.max(Math.ceil(atOnce / PER_WORKFLOW), atOnce > UNDIVIDED ? 2 : 1);
  return Math.min(workflows, concurrency);
}

/** For the loops of one workflow. */
export const LOOPS_BUDGET = usual(9_000);
/** The part of it that the iterations of one loop may take; the rest is for other loops, and for those inside. */
const MAX_SHARE = 0.75;
/** For retries of actions and calls of loops in regions. A node that needs more continues in its own workflow (nodePart.ts). */
export const REPEATS_BUDGET = usual(2_000);

/** Iterations of one loop that run in a workflow with other work. */
export const MAX_ITERATIONS_HERE = 100;
/** Iterations that a child runs itself. Starting one costs some twenty events and their writes, little for so many. */
export const MAX_ITERATIONS_IN_CHILD = 500;
/** Child workflows of one loop in one workflow. */
const MAX_CHILDREN = 400;

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

/** A further call of a region loop: its timer, and the call. */
export const REGION_COST = costOf(7);
/** A child workflow in its parent's history: its ids, its search attributes, and how it ends. */
const CHILD_COST = costOf(9, 1_500);

function costOf(events: number, moreBytes = 0): Cost {
  return { events, bytes: events * BYTES_PER_EVENT + moreBytes };
}

/** A further attempt: its timer, and the attempt itself. */
export function retryCost(plan: Plan, node: PlanNode): Cost {
  return costOf(11, bytesAhead(plan, node));
}

/** The lookaheads of an action name the nodes that follow, once for each way in which it may end. */
function bytesAhead(plan: Plan, { id, placement }: PlanNode): number {
  return placement === 'remote' ? 2 * successors(plan, id).reduce((sum, next) => sum + next.length + 3, 0) : 0;
}

/** What one iteration leaves in a history. Repetitions have their own budget, and long loops inside are added. */
export function costOfIteration(plan: Plan, loop: PlanNode): Cost {
  const costs = inside(plan, loop).map((node) => costOfNode(plan, node));
  return costs.reduce((sum, each) => without(sum, each, -1), costOf(4));
}

function costOfNode(plan: Plan, node: PlanNode): Cost {
  const { type, placement, child, retry, iterate } = node;
  const isQuick = type === 'action' && placement === 'inline' && !child;
  const starts = child || type === 'runWorkflow';
  const once = isQuick ? 1 : EVENTS[starts ? 'runWorkflow' : type];
  const cost = costOf(once, bytesAhead(plan, node) + (starts ? 1_500 : 0));
  return retry !== undefined || iterate === 'inRegion' ? without(cost, CHILD_COST, -1) : cost;
}

/** Lanes that an iteration takes, by the outcomes that one region of it may hand over: most take one. */
export function lanesOfIteration(plan: Plan, loop: PlanNode): number {
  const bytes = scopePlan(plan, loop.id).nodes.reduce((sum, { id }) => sum + id.length + OUTCOME_BYTES, 0);
  return Math.max(Math.ceil(bytes / BYTES_PER_LANE), 1);
}

/** Bytes of an outcome without its node's id. */
const OUTCOME_BYTES = 60;

function inside(plan: Plan, loop: PlanNode): PlanNode[] {
  return loopPlan(plan, loop.id).nodes.filter(({ id }) => id !== loop.id);
}

/** Iterations of one loop that one workflow runs. */
export function iterationsPerWorkflow(each: Cost, max: number): number {
  const { events, bytes } = LOOPS_BUDGET;
  const share = { events: events * MAX_SHARE, bytes: bytes * MAX_SHARE };
  return Math.min(Math.max(timesIn(share, each), 1), max);
}

/** Budget for the loops inside a child that runs so many iterations. */
export function costInside(iterations: number, each: Cost): Cost {
  return without(LOOPS_BUDGET, each, iterations);
}

const LEAVING: ReadonlySet<string> = new Set(['input', 'delay', 'runWorkflow']);

/** Whether iterations leave the workflow: then signals and cancellations are heard meanwhile. */
export function leavesWorkflow(plan: Plan, loop: PlanNode): boolean {
  return loopPlan(plan, loop.id).nodes.some(
    ({ type, placement, child }) => placement === 'remote' || child || LEAVING.has(type),
  );
}

/** The remaining room of a history. */
interface Budget {
  takeIterations(most: number, each: Cost): number;
}

/**
 * Iterations that each child is given where a workflow runs at most `size` of them: more than that where there would be
 * more children than the history has room for. Such a child divides its slice in the same way, with a history of its
 * own, so that a history is as short for a loop in loops as for one of many long iterations.
 */
export function iterationsPerChild(iterations: number, size: number, budget: Budget): number {
  const workflows = Math.ceil(iterations / size);
  const children = Math.max(budget.takeIterations(Math.min(workflows, MAX_CHILDREN), CHILD_COST), 1);
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
