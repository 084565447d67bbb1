import type { CancellationScope } from '@temporalio/workflow';
import type { RegionStart } from '../domain/execution/activityCalls.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import type { Branches } from './branches.ts';
import type { InputSubmitted } from './names.ts';

export interface Answering {
  answered(nodeId: string): void;
  expired(start: RegionStart): void;
}

export class Questions {
  readonly #branches: Branches;
  readonly #answering: Answering;
  /** Expiry timers by node; undefined if the question does not expire. */
  readonly #open = new Map<string, CancellationScope | undefined>();
  /** Nodes whose answer arrived before their question was folded. */
  readonly #early = new Set<string>();

  constructor(branches: Branches, answering: Answering) {
    this.#branches = branches;
    this.#answering = answering;
  }

  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  get open(): string[] {
    return [...this.#open.keys()];
  }

  /** `expiresAt`: epoch milliseconds. */
  ask(node: PlanNode, expiresAt: number | undefined): void {
    this.#open.set(node.id, expiresAt === undefined ? undefined : this.#expireAt(node, expiresAt));
    if (this.#early.has(node.id)) this.answer({ nodeId: node.id });
  }

  /** An answer may arrive twice: the second finds no question. */
  answer({ nodeId }: Pick<InputSubmitted, 'nodeId'>): void {
    if (!this.#open.has(nodeId)) {
      this.#early.add(nodeId);
      return;
    }
    this.#early.delete(nodeId);
    this.#open.get(nodeId)?.cancel();
    this.#open.delete(nodeId);
    this.#answering.answered(nodeId);
  }

  #expireAt(node: PlanNode, expiresAt: number): CancellationScope {
    return this.#branches.timer(Math.max(expiresAt - Date.now(), 0), `Input expires: ${node.label}`, () => {
      if (this.#open.delete(node.id)) this.#answering.expired({ nodeId: node.id, cause: 'expired' });
    });
  }
}
