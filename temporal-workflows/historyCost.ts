import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { successors } from '../domain/workflow/planIndex.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';

/** The estimated size of work in a history, which contains ids and outcomes, neither plans nor data. */
export interface Cost {
  events: number;
  bytes: number;
}

/** An event with its ids, texts and task, measured (test/workflows/largeSubWorkflows.test.ts). */
const BYTES_PER_EVENT = 250;
/** The id and search attributes of a child workflow, and its end. */
const BYTES_PER_CHILD = 1_500;

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
export const CHILD_COST = costOf(EVENTS.runWorkflow, BYTES_PER_CHILD);

function costOf(events: number, moreBytes = 0): Cost {
  return { events, bytes: events * BYTES_PER_EVENT + moreBytes };
}

/** Returns the room of that many events, which may be twice as large as usual. */
export function roomOf(events: number): Cost {
  return { events, bytes: events * 2 * BYTES_PER_EVENT };
}

export function timesIn(room: Cost, each: Cost): number {
  return Math.max(Math.floor(Math.min(room.events / each.events, room.bytes / each.bytes)), 0);
}

export function without(room: Cost, each: Cost, times = 1): Cost {
  return { events: room.events - times * each.events, bytes: room.bytes - times * each.bytes };
}

/** Another attempt of a node, without what it names. */
export const ATTEMPT_COST = costOf(11);

export function attemptCost(plan: Plan, node: PlanNode): Cost {
  return { ...ATTEMPT_COST, bytes: ATTEMPT_COST.bytes + bytesAhead(plan, node) };
}

/** The lookaheads of an action name the next nodes once per possible end. */
function bytesAhead(plan: Plan, { id, placement }: PlanNode): number {
  return placement === 'remote' ? 2 * successors(plan, id).reduce((sum, next) => sum + next.length + 3, 0) : 0;
}

/** Counts one iteration of each loop inside. Its further ones, and repetitions, take their own room when they begin. */
export function costOfIteration(plan: Plan, loop: PlanNode): Cost {
  const nodes = loopPlan(plan, loop.id).nodes.filter(({ id }) => id !== loop.id);
  return nodes.map((node) => costOfNode(plan, node)).reduce((sum, each) => without(sum, each, -1), costOf(4));
}

function costOfNode(plan: Plan, node: PlanNode): Cost {
  const { type, placement, child, retry, iterate } = node;
  const isQuick = type === 'action' && placement === 'inline' && !child;
  const starts = child || type === 'runWorkflow';
  const once = isQuick ? 1 : EVENTS[starts ? 'runWorkflow' : type];
  const cost = costOf(once, bytesAhead(plan, node) + (starts ? BYTES_PER_CHILD : 0));
  return retry !== undefined || iterate === 'inRegion' ? without(cost, CHILD_COST, -1) : cost;
}
