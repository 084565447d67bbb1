import type { ProblemDetail } from '../problem.ts';

/** Collects what is wrong with a definition, each with its place. */
export class Problems {
  readonly all: ProblemDetail[] = [];

  add(path: string, message: string, nodeId?: string): void {
    this.all.push({ path, message, ...(nodeId === undefined ? {} : { nodeId }) });
  }
}
