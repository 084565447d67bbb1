import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { scopePlan } from '../domain/workflow/scopePlan.ts';
import { CHILD_COST, type Cost, roomOf, timesIn, without } from './historyCost.ts';

/**
 * Remote actions, and iterations, that one workflow runs at once. While a workflow task runs, the server buffers the
 * ends that arrive, two events each, by default at most 100 events. Beyond that it takes the task away, and the history
 * may never replay again (docs/architecture/facts.md).
 */
export const AT_ONCE = 40;

/** Iterations that one child runs at once, fewer than AT_ONCE because loops inside run some too. */
const AT_ONCE_IN_CHILD = 25;

/**
 * Estimated events of one history. The server warns at 10,240 events, and ends the workflow at 51,200.
 *
 *   repetitions                 a fifth
 *   loops, all together         the rest
 *     a loop in this workflow   at most a tenth of the history; a larger one runs in children
 *     the children of a loop    at most two fifths; if more are needed, they divide their slices again
 *     a slice in its child      at most two thirds; the rest is for loops inside
 */
const HISTORY_EVENTS = 10_000;

/** Half of the 4 MiB for all commands of a workflow task, because the estimate is rough. */
const MESSAGE_BYTES = 2 * 1024 * 1024;

/** Arguments and results of customers' workers in one history, which the server ends at 50 MB. */
const WORKER_BYTES = 4 * 1024 * 1024;

/** The room of one history. */
export class HistoryBudget {
  #workerBytes = WORKER_BYTES;
  #loops = roomOf(HISTORY_EVENTS * 0.8);
  #repetitions = roomOf(HISTORY_EVENTS * 0.2);

  /** Takes room for at most that many iterations or children of a loop. Returns for how many there was room. */
  take(most: number, each: Cost): number {
    const taken = Math.min(most, timesIn(this.#loops, each));
    this.spend(taken, each);
    return taken;
  }

  /** Takes room for work that this history contains in any case. */
  spend(times: number, each: Cost): void {
    this.#loops = without(this.#loops, each, times);
  }

  /** Takes room for a call of a customer's worker, whose result comes later. False if there is none. */
  mayCall(bytes: number): boolean {
    if (this.#workerBytes <= 0) return false;
    this.spendBytes(2 * bytes);
    return true;
  }

  spendBytes(bytes: number): void {
    this.#workerBytes -= bytes;
  }

  /** Takes room for another run of a node: an attempt, or a call of a loop in regions. False if there is none. */
  mayRepeat(cost: Cost): boolean {
    if (timesIn(this.#repetitions, cost) === 0) return false;
    this.#repetitions = without(this.#repetitions, cost);
    return true;
  }
}

/** Returns the maximum number of iterations that a workflow with other work runs itself. */
export function iterationsHere(each: Cost): number {
  return timesIn(roomOf(HISTORY_EVENTS * 0.1), each);
}

/** Returns the maximum number of iterations that a child runs itself. */
export function iterationsInChild(each: Cost): number {
  return Math.max(timesIn(roomOf((HISTORY_EVENTS * 2) / 3), each), 1);
}

/**
 * Returns `size`, or more if the history has no room for that many children. Such a child divides its slice in the same
 * way in its own history. So nested loops keep a history as short as one loop of many long iterations.
 */
export function iterationsPerChild(iterations: number, size: number, budget: Pick<HistoryBudget, 'take'>): number {
  const workflows = Math.ceil(iterations / size);
  const most = timesIn(roomOf(HISTORY_EVENTS * 0.4), CHILD_COST);
  const children = Math.max(budget.take(Math.min(workflows, most), CHILD_COST), 1);
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

/**
 * Returns how many child workflows of a loop run in parallel: few, since each has its own tasks, but at least two if
 * many iterations run at once, so that one continues while the other ends.
 */
export function lanesFor(concurrency: number, lanesEach = 1): number {
  const atOnce = concurrency * lanesEach;
  const workflows = Math.max(Math.ceil(atOnce / AT_ONCE_IN_CHILD), atOnce > AT_ONCE / 4 ? 2 : 1);
  return Math.min(workflows, concurrency);
}

/** An outcome in the message of a region, without the id of its node. */
const BYTES_PER_OUTCOME = 60;

/**
 * Returns how many lanes an iteration takes: most take one. Iterations in step share one message to the server, so
 * those whose regions return many outcomes take several.
 */
export function lanesOfIteration(plan: Plan, loop: PlanNode): number {
  const bytes = scopePlan(plan, loop.id).nodes.reduce((sum, { id }) => sum + id.length + BYTES_PER_OUTCOME, 0);
  return Math.max(Math.ceil((bytes * AT_ONCE) / MESSAGE_BYTES), 1);
}
