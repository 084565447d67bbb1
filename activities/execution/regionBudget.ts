import { EventLoopYield } from '../../engine/fairness/eventLoopYield.ts';

/** A region returns after this many nodes, or REGION_BUDGET_MS, so that signals never wait long. */
const MAX_NODES = 500;
/** Iterations of a loop cost less than other nodes. */
const MAX_ITERATION_NODES = 1_000;
/** Maximum number of iterations in one region, since each spends at least one node. */
export const MAX_ITERATIONS = MAX_ITERATION_NODES;

/** jsonb accepts at most 255 MiB, and a region writes all its steps at once, outputs of iterations twice. */
const MAX_BYTES = 33_554_432;

export class RegionBudget {
  readonly eventLoop = new EventLoopYield();
  readonly #deadline: number;
  #nodes = 0;
  #inner = 0;
  #bytes = 0;

  constructor(budgetMs: number) {
    this.#deadline = performance.now() + budgetMs;
  }

  spendNode(): void {
    this.#nodes += 1;
  }

  spendIteration(nodes: number): void {
    this.#inner += nodes + 1;
  }

  spendBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  get isSpent(): boolean {
    return (
      this.#nodes >= MAX_NODES ||
      this.#inner >= MAX_ITERATION_NODES ||
      this.#bytes >= MAX_BYTES ||
      performance.now() > this.#deadline
    );
  }
}
