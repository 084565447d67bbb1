import fc from 'fast-check';
import type { Outcome } from '../../domain/execution/outcome.ts';
import type { Node } from '../../domain/workflow/definition.ts';

/** The end of a node of a random graph, independent of the others. */
export interface Expected {
  outcome: Outcome;
  /** Of a completed step; undefined where it does not matter. */
  output?: unknown;
}

/** The action of people at a question: `wait` does nothing. */
export type Reaction = 'answer' | 'wait' | 'cancel';

/** A node of a random graph; a loop contains its inner graph. */
export interface Made extends Expected {
  node: Node;
  children?: Node[];
  /** Between the children, as `edges` takes them. */
  inside?: string[];
  /** Ways out, undefined for the plain one. */
  handles: (string | undefined)[];
  /** At the questions in it, by node. */
  reactions?: [nodeId: string, Reaction][];
}

export type Maker = (id: string) => Made;

export type OnError = 'fail' | 'continue' | 'route';

export const onError = fc.oneof(
  { weight: 1, arbitrary: fc.constant<OnError>('fail') },
  { weight: 5, arbitrary: fc.constantFrom<OnError>('continue', 'route') },
);

export function completed(nodeId: string, handle?: string): Outcome {
  return handle === undefined ? { nodeId, status: 'COMPLETED' } : { nodeId, status: 'COMPLETED', handle };
}

export function failed(nodeId: string): Outcome {
  return { nodeId, status: 'FAILED', code: '' };
}

export const plainOrError = (how: OnError) => (how === 'route' ? [undefined, 'error'] : [undefined]);
