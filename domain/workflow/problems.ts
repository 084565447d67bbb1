import { isInside } from '../place.ts';
import { isError, type ProblemDetail } from '../problem.ts';

export class Problems {
  readonly all: ProblemDetail[] = [];
  /** Places of values of a wrong kind, whose members are not checked. */
  readonly #refused: string[] = [];

  add(path: string, message: string, nodeId?: string): void {
    this.report({ path, message, ...(nodeId === undefined ? {} : { nodeId }) });
  }

  report(problem: ProblemDetail): void {
    if (this.#refused.some((outer) => isInside(outer, problem.path))) return;
    this.all.push(problem);
  }

  get hasErrors(): boolean {
    return this.all.some(isError);
  }

  /** Reports a value of a wrong kind; its missing members are not reported. */
  refuse(path: string, message: string, nodeId?: string): void {
    this.add(path, message, nodeId);
    this.#refused.push(path);
  }
}
