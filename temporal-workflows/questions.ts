import { type CancellationScope, patched } from '@temporalio/workflow';
import type { RegionStart } from '../domain/execution/activityCalls.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import type { Branches } from './branches.ts';
import type { InputSubmitted } from './names.ts';

/** What comes of an answer. */
export interface Answering {
  /** A region is to complete the step. */
  go(start: RegionStart): void;
  /** The step is completed, in the rows of this revision. */
  settled(nodeId: string, revision: number | undefined): void;
}

/**
 * Builds before it let a region complete each answered step. What such a build has asked goes on so; what this one has
 * asked is left to newer workers by those builds. It is marked with the question, since nobody waits for that.
 */
const SETTLED_ANSWERS = 'settled-answers';

interface OpenQuestion {
  /** Stops the expiry, where there is one. */
  expiry: CancellationScope | undefined;
  /** An answer may come with its step completed. */
  settles: boolean;
}

/** Questions to people that wait for their answer, or for the end of their time. */
export class Questions {
  readonly #branches: Branches;
  readonly #answering: Answering;
  readonly #open = new Map<string, OpenQuestion>();
  /** Answers that came before their question was folded. */
  readonly #early = new Map<string, InputSubmitted>();

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

  /** `expiresAt` in epoch milliseconds. */
  ask(node: PlanNode, expiresAt: number | undefined): void {
    const expiry = expiresAt === undefined ? undefined : this.#expireAt(node, expiresAt);
    this.#open.set(node.id, { expiry, settles: patched(SETTLED_ANSWERS) });
    const early = this.#early.get(node.id);
    if (early) this.answer(early);
  }

  /** The same answer may be told twice: the second finds no question. */
  answer(submitted: InputSubmitted): void {
    const { nodeId, settled } = submitted;
    const question = this.#open.get(nodeId);
    if (!question) {
      this.#early.set(nodeId, submitted);
      return;
    }
    this.#early.delete(nodeId);
    question.expiry?.cancel();
    this.#open.delete(nodeId);
    if (settled && question.settles) this.#answering.settled(nodeId, settled.revision);
    else this.#answering.go({ nodeId, cause: 'submitted' });
  }

  #expireAt(node: PlanNode, expiresAt: number): CancellationScope {
    return this.#branches.timer(Math.max(expiresAt - Date.now(), 0), `Input expires: ${node.label}`, () => {
      if (this.#open.delete(node.id)) this.#answering.go({ nodeId: node.id, cause: 'expired' });
    });
  }
}
