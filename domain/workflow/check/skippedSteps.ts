import { type CelNode, childrenOf } from '../../expression/celNode.ts';
import { compileValue } from '../../expression/compiledValue.ts';
import { withExpressions } from '../../expression/template.ts';
import type { ProblemDetail, ProblemFix } from '../../problem.ts';
import { NEVER } from './formulas.ts';
import type { PlacedRead } from './nodeReader.ts';
import type { StepWays } from './stepWays.ts';

/** Reports each step once per text. */
export function skippedStepProblems(ways: StepWays): ProblemDetail[] {
  const possible = ways.possible();
  const groups = new Map<string, PlacedRead[]>();
  for (const read of ways.reads) {
    if (ways.formulas.and(read.read.when, possible) === NEVER) continue;
    const key = `${read.path}\n${read.read.step}`;
    groups.set(key, [...(groups.get(key) ?? []), read]);
  }
  return [...groups.values()].map(problemOf);
}

function problemOf(reads: readonly PlacedRead[]): ProblemDetail {
  const { node, path, read } = reads[0] as PlacedRead;
  const { step } = read;
  const fix = fixOf(reads);
  // The author of a step that continues after its failure has decided what happens then.
  const isError = (node?.onError ?? 'fail') === 'fail';
  const source = /^[A-Za-z_][A-Za-z0-9_]*$/.test(step) ? `steps.?${step}` : `steps[?${JSON.stringify(step)}]`;
  return {
    path,
    message: `the step ${step} may be skipped on the way to here, and then it cannot be read: write ${source}… with orValue(…)`,
    ...(node === undefined ? {} : { nodeId: node.id }),
    code: 'STEP_MAY_BE_SKIPPED',
    severity: isError ? 'error' : 'warning',
    ...(fix === undefined ? {} : { fix }),
  };
}

interface Replacement {
  start: number;
  end: number;
  text: string;
}

function fixOf(reads: readonly PlacedRead[]): ProblemFix | undefined {
  const { path, text, read } = reads[0] as PlacedRead;
  const replaced = new Map<string, string>();
  for (const expression of new Set(reads.map((each) => each.expression))) {
    const own = reads.filter((each) => each.expression === expression);
    const isDecision = /\.(condition|when|while|until)$/.test(path);
    const replacements = own.map(({ root, read: { node } }) => replacementOf(root, node, isDecision));
    if (!replacements.every((each) => each !== undefined)) return undefined;
    replaced.set(expression, withReplacements(expression, replacements));
  }
  const value = withExpressions(text, (braces) => {
    const other = replaced.get(braces.slice(2, -2).trim());
    return other === undefined ? braces : `{{ ${other} }}`;
  });
  if (value === text || !compiles(value)) return undefined;
  return { label: `read null if ${read.step} was skipped`, edits: [{ path, value }] };
}

function compiles(text: string): boolean {
  try {
    compileValue(text);
    return true;
  } catch {
    return false;
  }
}

function withReplacements(expression: string, replacements: readonly Replacement[]): string {
  const distinct = new Map(replacements.map((each) => [each.start, each]));
  return [...distinct.values()]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: part }) => text.slice(0, start) + part + text.slice(end), expression);
}

/** Returns `steps.?a.output.n.orValue(null)` for the path that begins at `read`, if null is possible there. */
function replacementOf(root: CelNode, read: CelNode, isDecision: boolean): Replacement | undefined {
  const above = pathDown(root, read);
  let top = read;
  while (above.length > 0 && isMemberOf(above[0] as CelNode, top)) top = above.shift() as CelNode;
  const otherwise = defaultIn(above[0], top, isDecision);
  if (otherwise === undefined) return undefined;
  const { input } = read;
  const [, key] = read.args as [CelNode, CelNode | string];
  const first = typeof key === 'string' ? `steps.?${key}` : `steps[?${input.slice(key.start, key.end)}]`;
  return { start: read.start, end: top.end, text: `${first}${input.slice(read.end, top.end)}.orValue(${otherwise})` };
}

function isMemberOf({ op, args }: CelNode, node: CelNode): boolean {
  return (op === '.' || op === '[]') && (args as [CelNode])[0] === node;
}

/** Returns the nodes around `node`, the nearest first. */
function pathDown(root: CelNode, node: CelNode): CelNode[] {
  if (root === node) return [];
  const child = childrenOf(root).find((each) => contains(each, node));
  return child === undefined ? [] : [...pathDown(child, node), root];
}

function contains(root: CelNode, node: CelNode): boolean {
  return root === node || childrenOf(root).some((each) => contains(each, node));
}

/** Undefined if neither null nor false is possible, as before `+` or a method. */
function defaultIn(parent: CelNode | undefined, node: CelNode, isDecision: boolean): string | undefined {
  if (parent === undefined) return isDecision ? 'false' : 'null';
  const { op, args } = parent;
  if (op === '!_' || op === '&&' || op === '||') return 'false';
  if (op === '?:') return (args as CelNode[])[0] === node ? 'false' : 'null';
  return ['==', '!=', 'list', 'map'].includes(op) ? 'null' : undefined;
}
