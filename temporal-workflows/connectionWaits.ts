import type { CancellationScope } from '@temporalio/workflow';
import type { PlanNode } from '../domain/workflow/plan.ts';
import type { Branches } from './branches.ts';

/** An attempt of an action whose connection had no valid token. */
export interface WaitingAttempt {
  attempt: number;
  /** Epoch milliseconds. */
  until: number;
}

/** Steps that wait until their connection is authorized again; then the attempt is repeated and checks it. */
export class ConnectionWaits {
  readonly #branches: Branches;
  readonly #again: (node: PlanNode, waiting: WaitingAttempt) => void;
  readonly #open = new Map<string, { node: PlanNode; waiting: WaitingAttempt; timer: CancellationScope }>();
  /** Nodes whose signal arrived before their outcome was folded. */
  readonly #early = new Set<string>();

  constructor(branches: Branches, again: (node: PlanNode, waiting: WaitingAttempt) => void) {
    this.#branches = branches;
    this.#again = again;
  }

  wait(node: PlanNode, waiting: WaitingAttempt): void {
    const text = `Waits for its connection: ${node.label}`;
    const timer = this.#branches.timer(Math.max(waiting.until - Date.now(), 1), text, () => this.#go(node.id));
    this.#open.set(node.id, { node, waiting, timer });
    if (this.#early.delete(node.id)) this.#go(node.id);
  }

  authorized(nodeId: string): void {
    if (this.#open.has(nodeId)) this.#go(nodeId);
    else this.#early.add(nodeId);
  }

  #go(nodeId: string): void {
    const open = this.#open.get(nodeId);
    if (!open) return;
    this.#open.delete(nodeId);
    open.timer.cancel();
    this.#again(open.node, open.waiting);
  }
}
