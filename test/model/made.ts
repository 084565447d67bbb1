import fc from 'fast-check';
import type { Outcome } from '../../domain/execution/outcome.ts';
import type { Node } from '../../domain/workflow/definition.ts';

export interface Expected {
  outcome: Outcome;
  /** For a completed step; undefined if any output is right. */
  output?: unknown;
}

/** `wait`: nobody answers. */
export type Reaction = 'answer' | 'wait' | 'cancel';

/** A loop contains its inner graph. */
export interface Made extends Expected {
  node: Node;
  children?: Node[];
  /** Edges between the children. */
  inside?: string[];
  /** Handles of the outgoing edges; undefined: the default. */
  handles: (string | undefined)[];
  /** By node, for the questions in it. */
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
