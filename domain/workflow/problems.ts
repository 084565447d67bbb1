import { isInside } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';

export class Problems {
  readonly all: ProblemDetail[] = [];
  /** Places of values of a wrong kind, whose members are not checked. */
  readonly #refused: string[] = [];

  add(path: string, message: string, nodeId?: string): void {
    if (this.#refused.some((outer) => isInside(outer, path))) return;
    this.all.push({ path, message, ...(nodeId === undefined ? {} : { nodeId }) });
  }

  /** Reports a value of a wrong kind; its missing members are not reported. */
  refuse(path: string, message: string, nodeId?: string): void {
    this.add(path, message, nodeId);
    this.#refused.push(path);
  }
}
