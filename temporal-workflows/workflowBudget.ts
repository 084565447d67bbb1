import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { successors } from '../domain/workflow/planIndex.ts';
import { loopPlan, scopePlan } from '../domain/workflow/scopePlan.ts';

/** The estimated size of an entry in a history. A history contains ids and outcomes, neither plans nor data. */
export interface Cost {
  events: number;
  bytes: number;
}

/** An event with its ids, texts and task, measured (test/workflows/largeSubWorkflows.test.ts). */
const BYTES_PER_EVENT = 250;

export function timesIn(budget: Cost, each: Cost): number {
  return Math.max(Math.floor(Math.min(budget.events / each.events, budget.bytes / each.bytes)), 0);
}

export function without(budget: Cost, each: Cost, times = 1): Cost {
  return { events: budget.events - times * each.events, bytes: budget.bytes - times * each.bytes };
}

function usual(events: number): Cost {
  return { events, bytes: events * 2 * BYTES_PER_EVENT };
}

/**
 * Maximum remote actions and iterations of one workflow at once. While a workflow task runs, the server buffers the
 * ends that arrive, two events each, by default at most 100 events. Beyond that it takes the task away, and the history
 * may never replay again (docs/architecture/facts.md).
 */
export const AT_ONCE = 40;

/** A loop with more concurrent iterations is divided among parallel workflows. */
const UNDIVIDED = 10;
/** Iterations that one child runs at once. Iterations that end together cost one workflow task. */
const PER_WORKFLOW = 25;
/** Iterations in step share one message of at most 4 MiB: one that may send more than this takes several lanes. */
const BYTES_PER_LANE = 50_000;

/**
 * Returns how many child workflows of a loop run in parallel: few, since each has its own tasks, but at least two if
 * many iterations run at once, so that one continues while the other ends.
 */
export function lanesFor(concurrency: number, lanesEach = 1): number {
  const atOnce = concurrency * lanesEach;
  const workflows = Math.max(Math.ceil(atOnce / PER_WORKFLOW), atOnce > UNDIVIDED ? 2 : 1);
  return Math.min(workflows, concurrency);
}

export const LOOPS_BUDGET = usual(9_000);
/** The share of it that one loop's iterations may take; the rest is for other loops and for nested ones. */
const MAX_SHARE = 0.75;
/** Budget for retries and calls of loops in regions. Beyond it, a node continues in its own workflow (nodePart.ts). */
export const REPEATS_BUDGET = usual(2_000);

/** The limit in a workflow that has other work. */
export const MAX_ITERATIONS_HERE = 100;
/** Starting a child costs some twenty events and their writes, little for this many iterations. */
export const MAX_ITERATIONS_IN_CHILD = 500;
/** Per loop and workflow. */
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

export const REGION_COST = costOf(7);
/** Includes its ids, its search attributes, and its end. */
const CHILD_COST = costOf(9, 1_500);

function costOf(events: number, moreBytes = 0): Cost {
  return { events, bytes: events * BYTES_PER_EVENT + moreBytes };
}

export function retryCost(plan: Plan, node: PlanNode): Cost {
  return costOf(11, bytesAhead(plan, node));
}

/** The lookaheads of an action name the next nodes once per possible end. */
function bytesAhead(plan: Plan, { id, placement }: PlanNode): number {
  return placement === 'remote' ? 2 * successors(plan, id).reduce((sum, next) => sum + next.length + 3, 0) : 0;
}

/** Excludes repetitions, which have their own budget; includes long nested loops. */
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

/** Derives the lanes of an iteration from the outcomes that one of its regions may send: most take one. */
export function lanesOfIteration(plan: Plan, loop: PlanNode): number {
  const bytes = scopePlan(plan, loop.id).nodes.reduce((sum, { id }) => sum + id.length + OUTCOME_BYTES, 0);
  return Math.max(Math.ceil(bytes / BYTES_PER_LANE), 1);
}

const OUTCOME_BYTES = 60;

function inside(plan: Plan, loop: PlanNode): PlanNode[] {
  return loopPlan(plan, loop.id).nodes.filter(({ id }) => id !== loop.id);
}

export function iterationsPerWorkflow(each: Cost, max: number): number {
  const { events, bytes } = LOOPS_BUDGET;
  const share = { events: events * MAX_SHARE, bytes: bytes * MAX_SHARE };
  return Math.min(Math.max(timesIn(share, each), 1), max);
}

export function costInside(iterations: number, each: Cost): Cost {
  return without(LOOPS_BUDGET, each, iterations);
}

const LEAVING: ReadonlySet<string> = new Set(['input', 'delay', 'runWorkflow']);

/** If iterations leave the workflow, signals and cancellations arrive meanwhile. */
export function leavesWorkflow(plan: Plan, loop: PlanNode): boolean {
  return loopPlan(plan, loop.id).nodes.some(
    ({ type, placement, child }) => placement === 'remote' || child || LEAVING.has(type),
  );
}

interface Budget {
  takeIterations(most: number, each: Cost): number;
}

/**
 * Returns `size`, or more if the history has no room for that many children. Such a child divides its slice in the same
 * way in its own history. So nested loops keep a history as short as one loop of many long iterations.
 */
export function iterationsPerChild(iterations: number, size: number, budget: Budget): number {
  const workflows = Math.ceil(iterations / size);
  const children = Math.max(budget.takeIterations(Math.min(workflows, MAX_CHILDREN), CHILD_COST), 1);
  return size * Math.ceil(workflows / children);
}

/**
 * Returns the size of a slice: at most `most` iterations, at least `fewest` slices, and as many slices for every lane,
 * because a slice that is left alone runs with only its part of the concurrency.
 */
export function evenSlice(iterations: number, most: number, lanes: number, fewest = 1): number {
  const slices = Math.max(Math.ceil(iterations / most), fewest);
  return slices === 1 ? iterations : Math.ceil(iterations / (Math.ceil(slices / lanes) * lanes));
}
