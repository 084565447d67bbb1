import type { CancellationScope } from '@temporalio/workflow';
import type { RegionStart } from '../domain/execution/activityCalls.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import type { Branches } from './branches.ts';

/** Questions to people that wait for their answer, or for the end of their time. */
export class Questions {
  readonly #branches: Branches;
  readonly #go: (start: RegionStart) => void;
  /** By node; with what stops the expiry, where there is one. */
  readonly #open = new Map<string, CancellationScope | undefined>();
  /** Answers that came before their question was folded. */
  readonly #early = new Set<string>();

  constructor(branches: Branches, go: (start: RegionStart) => void) {
    this.#branches = branches;
    this.#go = go;
  }

  get open(): string[] {
    return [...this.#open.keys()];
  }

  /** `expiresAt` in epoch milliseconds. */
  ask(node: PlanNode, expiresAt: number | undefined): void {
    const expiry = expiresAt === undefined ? undefined : this.#expireAt(node, expiresAt);
    this.#open.set(node.id, expiry);
    if (this.#early.delete(node.id)) this.answer(node.id);
  }

  /** The same answer may be told twice: the second finds no question. */
  answer(nodeId: string): void {
    if (!this.#open.has(nodeId)) {
      this.#early.add(nodeId);
      return;
    }
    this.#open.get(nodeId)?.cancel();
    this.#open.delete(nodeId);
    this.#go({ nodeId, cause: 'submitted' });
  }

  #expireAt(node: PlanNode, expiresAt: number): CancellationScope {
    return this.#branches.timer(Math.max(expiresAt - Date.now(), 0), `Input expires: ${node.label}`, () => {
      if (this.#open.delete(node.id)) this.#go({ nodeId: node.id, cause: 'expired' });
    });
  }
}
