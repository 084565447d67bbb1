import { type CelNode, type Comprehension, type Context, Located, sourceOf, weightOf } from './celNode.ts';
import { kindOf } from './functions/argument.ts';
import type { CelFunction } from './functions/celFunction.ts';
import { groupedBy, sortedBy } from './functions/lists.ts';
import { FUNCTION_BY_NAME } from './functions/table.ts';
import { insteadOfCall, insteadOfMethod, isJavascriptObject } from './javascriptCalls.ts';
import { charge, chargedKeys, chargeFailure, chargeText, isSpent } from './meter.ts';
import { withLocation } from './operators.ts';
import { isPlainObject } from './result.ts';

const BINDING = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind', 'sortBy', 'groupBy']);
const BY_KEY: Readonly<Record<string, (list: readonly unknown[], keys: readonly unknown[]) => unknown>> = {
  sortBy: sortedBy,
  groupBy: groupedBy,
};

function callOf(node: CelNode): { name: string; args: CelNode[] } {
  if (node.op === 'call') {
    const [name, args] = node.args as [string, CelNode[]];
    return { name, args };
  }
  const [name, receiver, rest] = node.args as [string, CelNode, CelNode[]];
  return { name, args: [receiver, ...rest] };
}

export function boundVariable(node: CelNode): CelNode | undefined {
  const { name, args } = callOf(node);
  if (node.op !== 'rcall' || !BINDING.has(name) || args.length < 3) return undefined;
  return args[1];
}

export function replaceCall(node: CelNode, standardNames: ReadonlySet<string>): void {
  const { name, args } = callOf(node);
  const known = FUNCTION_BY_NAME.get(name);
  // Math.round() must fail, although round() exists.
  if (isOfObject(node)) throw unknownFunction(node);
  if (known === undefined) {
    if (!standardNames.has(name)) throw unknownFunction(node);
    return;
  }
  if (args.length < known.least || args.length > known.most) {
    throw new Located(`${name} has other parameters`, node.start, known.signature);
  }
  node.setMeta('async', false);
  if (BY_KEY[name] !== undefined && args.length === 3) {
    replaceByKey(node, known, args);
    return;
  }
  node.setMeta('check', (checker, _node, context) => {
    for (const arg of args) checker.check(arg, context);
    return checker.getType(known.returns);
  });
  node.setMeta('evaluate', (evaluator, _node, context) => {
    charge(2);
    const values = args.map((arg) => evaluator.run(arg, context));
    return called(node, name, () => known.call(values));
  });
}

function isOfObject(node: CelNode): boolean {
  if (node.op !== 'rcall') return false;
  const [, receiver] = node.args as [string, CelNode];
  return receiver.op === 'id' && isJavascriptObject(sourceOf(receiver));
}

function unknownFunction(node: CelNode): Located {
  const { name, args } = callOf(node);
  const written = args.map(sourceOf);
  const isMethod = node.op === 'rcall';
  const instead = isMethod
    ? insteadOfMethod(name, written[0] as string, written.slice(1))
    : insteadOfCall(name, written);
  const full = isOfObject(node) ? `${written[0]}.${name}` : name;
  return new Located(`there is no function ${full}${instead === undefined ? '' : `: write ${instead}`}`, node.start);
}

function called<T>(node: CelNode, name: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (isSpent()) throw error;
    chargeFailure();
    throw new Located(`${name}(): ${(error as Error).message}`, node.start);
  }
}

function replaceByKey(node: CelNode, known: CelFunction, args: CelNode[]): void {
  const [list, variable, key] = args as [CelNode, CelNode, CelNode];
  if (variable.op !== 'id') throw new Located(`${known.name} has other parameters`, variable.start, known.signature);
  let inner: Context | undefined;
  const weight = weightOf(key);
  node.setMeta('check', (checker, _node, context) => {
    checker.check(list, context);
    inner = context.forkWithVariable(variable.args as string, checker.getType('dyn'));
    checker.check(key, inner);
    return checker.getType(known.returns);
  });
  node.setMeta('evaluate', (evaluator, _node, context) => {
    const items = evaluator.run(list, context);
    if (!Array.isArray(items)) throw new Located(`${known.name}(): expected a list, got ${kindOf(items)}`, list.start);
    const scope = (inner as Context).reuse(context);
    const keys = items.map((item) => {
      charge(weight);
      return evaluator.run(key, scope.setIterValue(item, evaluator));
    });
    return called(node, known.name, () => BY_KEY[known.name]?.(items, keys));
  });
}

/** Charges standard functions for the sizes of their arguments, and of the texts and bytes that they make. */
export function meterCall(node: CelNode): void {
  const comprehension = node.meta.alternate;
  if (comprehension?.op === 'comprehension') {
    meterLoop(comprehension, callOf(node).args.slice(2));
    return;
  }
  if (node.meta.macro !== undefined || comprehension !== undefined || FUNCTION_BY_NAME.has(callOf(node).name)) return;
  // Set by cel-js's check, as `(values, …)` for functions and methods.
  const handle = node.handle as unknown as ((values: unknown[], ...rest: unknown[]) => unknown) | undefined;
  // has() has none, because it takes a path.
  if (handle !== undefined) {
    node.handle = ((values: unknown[], ...rest: unknown[]) => {
      charge(2);
      for (const value of values) chargeValue(value);
      return handle(values, ...rest);
    }) as unknown as NonNullable<CelNode['handle']>;
  }
  const evaluate = node.meta.evaluate;
  node.setMeta('evaluate', (evaluator, self, context) => {
    try {
      const result = evaluate(evaluator, self, context);
      if (typeof result === 'string' || result instanceof Uint8Array) chargeText(result.length);
      return result;
    } catch (error) {
      chargeFailure();
      throw withLocation(error, self);
    }
  });
}

/** Charges what a standard function may read: all characters or keys, but not the elements of a list. */
function chargeValue(value: unknown): void {
  if (typeof value === 'string' || value instanceof Uint8Array) charge(value.length >> 2);
  else if (isPlainObject(value)) chargedKeys(value);
}

function meterLoop(node: CelNode, written: readonly CelNode[]): void {
  const loop = node.args as Comprehension;
  const { step, condition } = loop;
  const weight = written.reduce((sum, each) => sum + weightOf(each), 0);
  const evaluate = step.meta.evaluate;
  step.setMeta('evaluate', (evaluator, self, context) => {
    charge(weight);
    try {
      return evaluate(evaluator, self, context);
    } catch (error) {
      chargeFailure();
      throw error;
    }
  });
  // exists() and all() ignore failed elements; without this check they would continue after the limit is reached.
  if (condition !== undefined) loop.condition = (accumulated) => !isSpent() && condition(accumulated);
  const handle = node.handle as unknown as (items: unknown, ...rest: unknown[]) => unknown;
  node.handle = ((items: unknown, ...rest: unknown[]) => {
    if (isPlainObject(items)) chargedKeys(items);
    return handle(items, ...rest);
  }) as unknown as NonNullable<CelNode['handle']>;
}

/** If `a` fails, `a || b` and `a && b` still evaluate `b`, so the failure is charged. */
export function meterFailures(node: CelNode): void {
  const [left] = node.args as [CelNode, CelNode];
  const evaluate = left.meta.evaluate;
  left.setMeta('evaluate', (evaluator, self, context) => {
    try {
      return evaluate(evaluator, self, context);
    } catch (error) {
      chargeFailure();
      throw error;
    }
  });
}
