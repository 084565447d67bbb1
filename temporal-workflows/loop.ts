import { CancellationScope, sleep } from '@temporalio/workflow';
import type { IterationEnd } from '../domain/execution/activityCalls.ts';
import { iterationKey } from '../domain/execution/iteration.ts';
import type { LoopStart, LostIterations, StoppedAt } from '../domain/execution/outcome.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import { summary } from '../domain/execution/summary.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';
import type { Host } from './host.ts';
import { local } from './localActivities.ts';

/** After this many iterations without a wait, a pause lets signals and cancellations in. */
const ITERATIONS_BETWEEN_PAUSES = 25;

export interface Loop {
  host: Host;
  node: PlanNode;
  /** The scope that contains the loop. */
  parent: string;
  loop: LoopStart;
  /** Iterations that have ended, for the Temporal UI. */
  ended: number;
  runIteration: RunIteration;
}

/** `again`: the iteration may have steps already. */
export type RunIteration = (iteration: string, again: boolean) => Promise<ScopeEnd>;

export type ScopeEnd =
  /** `loopTooLarge`: the outputs of its loop, its own included, are too large together. */
  { status: IterationEnd; loopTooLarge?: true } | { stopped: StoppedAt } | { endStatus: TerminalStatus };

/** Consecutive iterations of a loop; `to` is exclusive. */
export interface Slice {
  from: number;
  to: number;
  concurrency: number;
}

export type LoopEnd =
  /** After its last iteration. */
  | 'ended'
  /** A condition ended the loop before the last iteration of the slice. */
  | 'done'
  /** The index of the iteration that failed it. */
  | { failed: number }
  | { tooLarge: true }
  /** The workflow that ran these iterations was ended from outside. */
  | { lost: LostIterations }
  | { stopped: StoppedAt }
  | { endStatus: TerminalStatus };

/** Runs lanes in parallel. The first piece that ends the loop, or throws, cancels the others and waits for them. */
export async function inLanes(
  lanes: number,
  nextPiece: (lane: number) => (() => Promise<LoopEnd>) | undefined,
): Promise<LoopEnd> {
  let first: { over: LoopEnd } | { thrown: unknown } | undefined;
  const scope = new CancellationScope();
  const endAll = (by: typeof first) => {
    if (first) return;
    first = by;
    scope.cancel();
  };
  const run = async (lane: number) => {
    try {
      for (let piece = nextPiece(lane); piece; piece = first ? undefined : nextPiece(lane)) {
        const end = await piece();
        if (end !== 'ended') endAll({ over: end });
      }
    } catch (error) {
      endAll({ thrown: error });
    }
  };
  await scope.run(() => Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane))));
  if (!first) return 'ended';
  if ('thrown' in first) throw first.thrown;
  return first.over;
}

export function runSlice(all: Loop, slice: Slice): Promise<LoopEnd> {
  return all.node.type === 'repeat' ? repeat(all, slice) : forEach(all, slice);
}

async function forEach(all: Loop, { from, to, concurrency }: Slice): Promise<LoopEnd> {
  const indexAt = await indicesOf(all, from, to);
  let next = from;
  return inLanes(Math.min(concurrency, to - from), () => {
    if (next >= to) return undefined;
    const index = indexAt(next);
    next += 1;
    return () => runIteration(all, index);
  });
}

/** If a retry reused some iterations, slice positions count only the remaining ones. */
async function indicesOf(all: Loop, from: number, to: number) {
  const { host, node, parent, loop } = all;
  if (!loop.kept || from === to) return (place: number) => place;
  const at = { ...host.ref, ...(parent === '' ? {} : { iteration: parent }), nodeId: node.id };
  const indices = await local(`Remains: ${node.label}`).remainingIterations({ ...at, total: totalOf(all), from, to });
  return (place: number) => {
    const index = indices[place - from];
    if (index === undefined) throw new Error(`Fewer iterations of ${node.id} remain than ${to}`);
    return index;
  };
}

/** Returns the number of iterations, including those that a retry reused; if conditions end the loop, the maximum. */
export function totalOf({ node, loop: { total, kept = 0 } }: Pick<Loop, 'node' | 'loop'>): number {
  return node.type === 'repeat' ? total : total + kept;
}

async function repeat(all: Loop, { from, to }: Slice): Promise<LoopEnd> {
  const { host, node, parent, loop } = all;
  const at = { ...host.ref, ...(parent === '' ? {} : { iteration: parent }), nodeId: node.id };
  const limit = loop.total;
  for (let index = from; ; index += 1) {
    if (node.asks) {
      const answer = await local(`Asks: ${node.label}`).askLoop({ ...at, index, limit });
      if (answer === 'end') return 'done';
      if (answer === 'failed') return { failed: index };
    }
    if (index === to) return 'ended';
    if (index > 0 && loop.pauseMs !== undefined) {
      await local(`Pauses: ${node.label}`).showPause({ ...at, wakeAt: Date.now() + loop.pauseMs });
      await sleep(loop.pauseMs, { summary: summary(`Pause: ${node.label}`) });
      await local(`Continues: ${node.label}`).showPause(at);
    }
    const end = await runIteration(all, index);
    if (end !== 'ended') return end;
  }
}

async function runIteration(all: Loop, index: number): Promise<LoopEnd> {
  const { host, node, parent, loop } = all;
  if (index % ITERATIONS_BETWEEN_PAUSES === ITERATIONS_BETWEEN_PAUSES - 1 && !leavesWorkflow(host.plan, node)) {
    await sleep(1, { summary: summary(`Continues: ${node.label}`) });
  }
  const end = await all.runIteration(iterationKey(parent, node.id, index), loop.kept !== undefined);
  all.ended += 1;
  if (!('status' in end)) return end;
  if (end.status === 'FAILED' && loop.onItemError === 'stop') return { failed: index };
  return end.loopTooLarge ? { tooLarge: true } : 'ended';
}

const LEAVING: ReadonlySet<string> = new Set(['input', 'delay', 'runWorkflow']);

/** If iterations leave the workflow, signals and cancellations arrive meanwhile. */
function leavesWorkflow(plan: Plan, loop: PlanNode): boolean {
  return loopPlan(plan, loop.id).nodes.some(
    ({ type, placement, child }) => placement === 'remote' || child || LEAVING.has(type),
  );
}
