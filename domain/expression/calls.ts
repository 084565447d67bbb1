import { charge, chargeText, isSpent } from './budget.ts';
import { type CelNode, type Comprehension, type Context, Located } from './celNode.ts';
import { kindOf } from './functions/argument.ts';
import type { CelFunction } from './functions/celFunction.ts';
import { groupedBy, sortedBy } from './functions/lists.ts';
import { FUNCTION_BY_NAME } from './functions/table.ts';
import { withLocation } from './operators.ts';

/** Macros that name a variable with their first argument. */
const BINDING = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind', 'sortBy', 'groupBy']);
const BY_KEY: Readonly<Record<string, (list: readonly unknown[], keys: readonly unknown[]) => unknown>> = {
  sortBy: sortedBy,
  groupBy: groupedBy,
};

/** Name and arguments of a call, the receiver first. */
function callOf(node: CelNode): { name: string; args: CelNode[] } {
  if (node.op === 'call') {
    const [name, args] = node.args as [string, CelNode[]];
    return { name, args };
  }
  const [name, receiver, rest] = node.args as [string, CelNode, CelNode[]];
  return { name, args: [receiver, ...rest] };
}

/** The variable that a macro brings into scope, where the call is one. */
export function boundVariable(node: CelNode): CelNode | undefined {
  const { name, args } = callOf(node);
  if (node.op !== 'rcall' || !BINDING.has(name) || args.length < 3) return undefined;
  return args[1];
}

/** Puts a function of our table in the place of the call. */
export function replaceCall(node: CelNode, standardNames: ReadonlySet<string>): void {
  const { name, args } = callOf(node);
  const known = FUNCTION_BY_NAME.get(name);
  if (known === undefined) {
    if (!standardNames.has(name)) throw new Located(`there is no function ${name}`, node.start);
    return;
  }
  if (args.length < known.least || args.length > known.most) {
    throw new Located(`${name} takes other arguments`, node.start, known.signature);
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
    charge(1);
    const values = args.map((arg) => evaluator.run(arg, context));
    return called(node, name, () => known.call(values));
  });
}

function called<T>(node: CelNode, name: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new Located(`${name}(): ${(error as Error).message}`, node.start);
  }
}

/** `list.sortBy(x, key of x)`. */
function replaceByKey(node: CelNode, known: CelFunction, args: CelNode[]): void {
  const [list, variable, key] = args as [CelNode, CelNode, CelNode];
  if (variable.op !== 'id') throw new Located(`${known.name} takes other arguments`, variable.start, known.signature);
  let inner: Context | undefined;
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
      charge(1);
      return evaluator.run(key, scope.setIterValue(item, evaluator));
    });
    return called(node, known.name, () => BY_KEY[known.name]?.(items, keys));
  });
}

/** Standard functions produce texts and bytes too: these are charged as well. */
export function meterCall(node: CelNode): void {
  const comprehension = node.meta.alternate;
  if (comprehension?.op === 'comprehension') {
    meterLoop(comprehension.args as Comprehension);
    return;
  }
  if (node.meta.macro !== undefined || comprehension !== undefined || FUNCTION_BY_NAME.has(callOf(node).name)) return;
  const evaluate = node.meta.evaluate;
  node.setMeta('evaluate', (evaluator, self, context) => {
    charge(1);
    try {
      const result = evaluate(evaluator, self, context);
      if (typeof result === 'string' || result instanceof Uint8Array) chargeText(result.length);
      return result;
    } catch (error) {
      throw withLocation(error, self);
    }
  });
}

function meterLoop(loop: Comprehension): void {
  const { step, condition } = loop;
  const evaluate = step.meta.evaluate;
  step.setMeta('evaluate', (evaluator, self, context) => {
    charge(1);
    return evaluate(evaluator, self, context);
  });
  // exists() and all() go on after a failed element: without this, they would after the last step too.
  if (condition !== undefined) loop.condition = (accumulated) => !isSpent() && condition(accumulated);
}
