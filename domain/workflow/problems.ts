import { isInside } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';

/** Collects what is wrong with a definition, each with its place. */
export class Problems {
  readonly all: ProblemDetail[] = [];
  /** Places of what is of another kind: there is nothing inside. */
  readonly #refused: string[] = [];

  add(path: string, message: string, nodeId?: string): void {
    if (this.#refused.some((outer) => isInside(outer, path))) return;
    this.all.push({ path, message, ...(nodeId === undefined ? {} : { nodeId }) });
  }

  /** What is of another kind than expected: what would be missing inside is not told. */
  refuse(path: string, message: string, nodeId?: string): void {
    this.add(path, message, nodeId);
    this.#refused.push(path);
  }
}
