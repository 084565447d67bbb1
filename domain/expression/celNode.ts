import { restoreNames } from './reservedNames.ts';

/** The used parts of cel-js. Nodes are public (`program.ast`); its own macros replace evaluation by `setMeta`. */
export interface CelNode {
  op: string;
  args: unknown;
  pos: number;
  start: number;
  end: number;
  readonly input: string;
  readonly meta: {
    check: NodeCheck;
    evaluate: NodeEvaluate;
    alternate?: CelNode;
    macro?: unknown;
  };
  setMeta(key: 'check', value: NodeCheck): CelNode;
  setMeta(key: 'evaluate', value: NodeEvaluate): CelNode;
  setMeta(key: 'async', value: boolean): CelNode;
  setMeta(key: 'macro', value: undefined): CelNode;
  /** Set by the check of a binary node. */
  handle?: (left: unknown, right: unknown, node: CelNode, evaluator: Evaluator) => unknown;
}

export type NodeCheck = (checker: Checker, node: CelNode, context: Context) => CelType;
export type NodeEvaluate = (evaluator: Evaluator, node: CelNode, context: Context) => unknown;

export interface CelType {
  name: string;
  kind: string;
}

export interface Checker {
  check(node: CelNode, context: Context): CelType;
  getType(name: string): CelType;
}

export interface Evaluator {
  run(node: CelNode, context: Context): unknown;
}

export interface Context {
  getValue(name: string): unknown;
  forkWithVariable(name: string, type: CelType): Context;
  reuse(parent: Context): Context;
  setIterValue(value: unknown, evaluator: Evaluator): Context;
}

export interface Comprehension {
  iterable: CelNode;
  step: CelNode;
  condition?: (accumulated: unknown) => boolean;
}

export class Located extends Error {
  readonly position: number;
  readonly expected: string | undefined;

  constructor(message: string, position: number, expected?: string) {
    super(message);
    this.position = position;
    this.expected = expected;
  }
}

export function sourceOf(node: CelNode): string {
  return restoreNames(node.input.slice(node.start, node.end));
}

export function childrenOf(node: CelNode): CelNode[] {
  const { op, args } = node;
  switch (op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [(args as [CelNode, string])[0]];
    case 'call':
      return (args as [string, CelNode[]])[1];
    case 'rcall': {
      const [, receiver, rest] = args as [string, CelNode, CelNode[]];
      return [receiver, ...rest];
    }
    case 'map':
      return (args as [CelNode, CelNode][]).flat();
    case '!_':
    case '-_':
      return [args as CelNode];
    default:
      return args as CelNode[];
  }
}

/** Nodes that are evaluated per unit of work. */
const NODES_A_UNIT = 4;

/** Returns the cost of one evaluation of the node, without the sizes of the values that it reads. */
export function weightOf(node: CelNode): number {
  return Math.ceil(nodesOf(node) / NODES_A_UNIT);
}

function nodesOf(node: CelNode): number {
  return childrenOf(node).reduce((sum, child) => sum + nodesOf(child), 1);
}
