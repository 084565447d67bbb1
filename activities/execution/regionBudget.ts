import { EventLoopYield } from '../../engine/fairness/eventLoopYield.ts';

/** So that signals never wait long: a region hands back after this many nodes, or REGION_BUDGET_MS. */
const MAXIMUM_REGION_NODES = 500;
/** Iterations of a loop are more of the same, and cost less. */
const MAXIMUM_ITERATION_NODES = 1_000;
/** Most iterations in one region: each spends one at least. */
export const MAX_ITERATIONS = MAXIMUM_ITERATION_NODES;

/**
 * A region holds its steps until its one write, and jsonb takes at most 255 MiB: a larger write would fail for ever.
 * Outputs of iterations are written twice.
 */
const MAXIMUM_BYTES = 33_554_432;

/** The remaining budget of a region before it hands back. */
export class RegionBudget {
  /** For the code that continues in it. */
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

  /** JSON of a node's input and output. */
  spendBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  get isSpent(): boolean {
    return (
      this.#nodes >= MAXIMUM_REGION_NODES ||
      this.#inner >= MAXIMUM_ITERATION_NODES ||
      this.#bytes >= MAXIMUM_BYTES ||
      performance.now() > this.#deadline
    );
  }
}
