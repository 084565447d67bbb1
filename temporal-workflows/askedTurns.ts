import { CancellationScope, sleep } from '@temporalio/workflow';
import type { RunEnd } from '../domain/agent/runStatus.ts';
import type { RegionStart } from '../domain/execution/activityCalls.ts';
import type { Outcome } from '../domain/execution/outcome.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import { startChildTurn } from './childTurn.ts';
import { local } from './localActivities.ts';

export type TurnOutcome = Extract<Outcome, { status: 'TURN' }>;

/** A turn that a step has asked for, with those that continue its message. */
interface AskedTurn {
  /** The first turn, by which the step finds the others. */
  runId: string;
  /** The part of the node's time that is used up: it does not run while a person is asked. */
  spentMs: number;
  /** The turn whose end is awaited. Cancelling its scope stops it. */
  awaited?: { runId: string; scope: CancellationScope; ended: Promise<RunEnd>; hasEnded: boolean };
  /** A signal came while no branch waited for one. */
  isWoken: boolean;
  wake: (() => void) | undefined;
}

/** Turns of agents that steps of a scope wait for. */
export class AskedTurns {
  readonly #asked = new Map<string, AskedTurn>();

  has(nodeId: string): boolean {
    return this.#asked.has(nodeId);
  }

  /** The step has ended, or its attempt. */
  forget(nodeId: string): void {
    this.#asked.delete(nodeId);
  }

  /** A turn for this step, or for an agent that the turn has called, asks a person, or no longer does. */
  woken(nodeId: string): void {
    const asked = this.#asked.get(nodeId);
    if (!asked) return;
    if (asked.wake) asked.wake();
    else asked.isWoken = true;
  }

  /** To be called when the outcome is folded, so that no signal is lost before `untilNews` waits for it. */
  add(node: PlanNode, { start, again }: TurnOutcome): void {
    if (again !== undefined && this.#asked.has(node.id)) return;
    const runId = start.turn.runId;
    this.#asked.set(node.id, { runId, spentMs: 0, isWoken: false, wake: undefined });
  }

  /**
   * Waits until there is something for a region to see: the turn has ended, a signal has come, or the node's time is over; then
   * the turn is stopped. Stops the turn if the scope is cancelled.
   */
  async untilNews(node: PlanNode, outcome: TurnOutcome): Promise<RegionStart> {
    const asked = this.#asked.get(node.id);
    if (!asked) throw new Error(`The node ${node.id} has asked for no turn`);
    const asks = outcome.again === 'asks';
    const begun = Date.now();
    const time = asks ? undefined : timeOf(node, asked);
    const woken = wakeOf(asked);
    const isAwaited = asked.awaited?.runId === outcome.start.turn.runId && !asked.awaited.hasEnded;
    const wait = { isOver: false };
    const ended = asks && !isAwaited ? stopWhenCancelled(outcome, wait) : endOf(asked, outcome);
    const first = await Promise.race([
      ended.then(() => 'ended'),
      woken.then(() => 'woken'),
      ...(time ? [time.over] : []),
    ]);
    wait.isOver = true;
    asked.wake = undefined;
    time?.stop();
    if (!asks) asked.spentMs += Date.now() - begun;
    const isLate = first === 'late';
    if (isLate) {
      asked.awaited?.scope.cancel();
      await ended;
    }
    return { nodeId: node.id, cause: 'turn', runId: asked.runId, ...(isLate ? { isLate } : {}) };
  }
}

function timeOf({ timeoutMs }: PlanNode, { spentMs }: AskedTurn) {
  if (timeoutMs === undefined) return undefined;
  const scope = new CancellationScope();
  const over = scope
    .run(() => sleep(Math.max(timeoutMs - spentMs, 1)))
    .then(
      () => 'late' as const,
      () => new Promise<never>(() => {}),
    );
  return { over, stop: () => scope.cancel() };
}

function wakeOf(asked: AskedTurn): Promise<void> {
  if (asked.isWoken) {
    asked.isWoken = false;
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    asked.wake = resolve;
  });
}

/** The end of the turn, which is started or awaited once, however often a region looks at it meanwhile. */
function endOf(asked: AskedTurn, { start }: TurnOutcome): Promise<RunEnd> {
  const { runId } = start.turn;
  if (asked.awaited?.runId === runId) return asked.awaited.ended;
  const scope = new CancellationScope();
  const awaited = { runId, scope, hasEnded: false };
  const ended = scope.run(async () => {
    const child = await startChildTurn(start);
    const end = await child.ended();
    awaited.hasEnded = true;
    return end;
  });
  asked.awaited = Object.assign(awaited, { ended });
  return ended;
}

/** Nothing runs while a person is asked: only a cancellation has to be heard, which withdraws the question. */
async function stopWhenCancelled({ start }: TurnOutcome, wait: { isOver: boolean }): Promise<never> {
  try {
    return await CancellationScope.current().cancelRequested;
  } catch (error) {
    if (!wait.isOver) await CancellationScope.nonCancellable(() => local('Stops the turn').stopTurn(start.turn));
    throw error;
  }
}
