import { CancellationScope, sleep } from '@temporalio/workflow';
import type { RunEnd } from '../domain/agent/runStatus.ts';
import type { RegionStart } from '../domain/execution/activityCalls.ts';
import type { Outcome } from '../domain/execution/outcome.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import { startChildTurn } from './childTurn.ts';
import { local } from './localActivities.ts';

export type TurnOutcome = Extract<Outcome, { status: 'TURN' }>;

/** A turn that a step started, with the turns that continue its message. */
interface TurnWait {
  /** The first turn; the step finds the others by it. */
  runId: string;
  /** The part of the node's timeout that is used up. The clock stops while a person is asked. */
  spentMs: number;
  awaited?: { runId: string; scope: CancellationScope; ended: Promise<RunEnd>; hasEnded: boolean };
  isWoken: boolean;
  wake: (() => void) | undefined;
}

export class TurnWaits {
  readonly #waits = new Map<string, TurnWait>();

  has(nodeId: string): boolean {
    return this.#waits.has(nodeId);
  }

  forget(nodeId: string): void {
    this.#waits.delete(nodeId);
  }

  /** Wakes the step: its turn, or a turn that this turn called, began or stopped waiting for a person. */
  woken(nodeId: string): void {
    const turn = this.#waits.get(nodeId);
    if (!turn) return;
    if (turn.wake) turn.wake();
    else turn.isWoken = true;
  }

  /** Call it when the outcome is folded, so that no signal is lost before `untilEvent` waits for it. */
  add(node: PlanNode, { start, again }: TurnOutcome): void {
    if (again !== undefined && this.#waits.has(node.id)) return;
    const runId = start.turn.runId;
    this.#waits.set(node.id, { runId, spentMs: 0, isWoken: false, wake: undefined });
  }

  /** Waits for the turn's end, a signal, or the end of the node's timeout or of the scope, which stop the turn. */
  async untilEvent(node: PlanNode, outcome: TurnOutcome): Promise<RegionStart> {
    const turn = this.#waits.get(node.id);
    if (!turn) throw new Error(`The node ${node.id} has asked for no turn`);
    const asks = outcome.again === 'asks';
    const begun = Date.now();
    const time = asks ? undefined : timeOf(node, turn);
    const woken = wakeOf(turn);
    const isAwaited = turn.awaited?.runId === outcome.start.turn.runId && !turn.awaited.hasEnded;
    const wait = { isOver: false };
    const ended = asks && !isAwaited ? stopWhenCancelled(outcome, wait) : endOf(turn, outcome);
    const first = await Promise.race([
      ended.then(() => 'ended'),
      woken.then(() => 'woken'),
      ...(time ? [time.over] : []),
    ]);
    wait.isOver = true;
    turn.wake = undefined;
    time?.stop();
    if (!asks) turn.spentMs += Date.now() - begun;
    const isLate = first === 'late';
    if (isLate) {
      turn.awaited?.scope.cancel();
      await ended;
    }
    return { nodeId: node.id, cause: 'turn', runId: turn.runId, ...(isLate ? { isLate } : {}) };
  }
}

function timeOf({ timeoutMs }: PlanNode, { spentMs }: TurnWait) {
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

function wakeOf(turn: TurnWait): Promise<void> {
  if (turn.isWoken) {
    turn.isWoken = false;
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    turn.wake = resolve;
  });
}

function endOf(turn: TurnWait, { start }: TurnOutcome): Promise<RunEnd> {
  const { runId } = start.turn;
  if (turn.awaited?.runId === runId) return turn.awaited.ended;
  const scope = new CancellationScope();
  const awaited = { runId, scope, hasEnded: false };
  const ended = scope.run(async () => {
    const child = await startChildTurn(start);
    const end = await child.ended();
    awaited.hasEnded = true;
    return end;
  });
  turn.awaited = Object.assign(awaited, { ended });
  return ended;
}

/** Waits only for a cancellation, which withdraws the question: nothing runs while a person is asked. */
async function stopWhenCancelled({ start }: TurnOutcome, wait: { isOver: boolean }): Promise<never> {
  try {
    return await CancellationScope.current().cancelRequested;
  } catch (error) {
    if (!wait.isOver) await CancellationScope.nonCancellable(() => local('Stops the turn').stopTurn(start.turn));
    throw error;
  }
}
