import { setKey } from '../ownMember.ts';
import { type CelNode, type CelType, type Context, type Evaluator, Located, type NodeCheck } from './celNode.ts';
import { kindOf } from './functions/argument.ts';
import { compare, equal } from './functions/order.ts';
import { charge, chargeKey, chargeList, chargeText, isSpent } from './meter.ts';
import { integerAsNumber, isPlainObject } from './result.ts';

type Binary = (a: unknown, b: unknown, node: CelNode, evaluator: Evaluator) => unknown;

const SAFE = 2 ** 53;

/** Delegates to cel-js: bytes, times, durations, unsigned integers, and all errors. */
function standard(a: unknown, b: unknown, node: CelNode, evaluator: Evaluator): unknown {
  if (node.handle === undefined) throw new Error(`${node.op} was not checked`);
  return node.handle(a, b, node, evaluator);
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) <= SAFE);
}

/** Two CEL integers give an integer. If an operand is a number from data, so is the result, and it must be exact. */
function arithmetic(
  whole: (a: bigint, b: bigint) => bigint,
  real: (a: number, b: number) => number,
  others: Binary,
): Binary {
  return (a, b, node, evaluator) => {
    if (typeof a === 'number' && typeof b === 'number') return checkedReal(real(a, b), a, b, whole);
    if (typeof a === 'bigint' && typeof b === 'bigint') {
      const result = whole(a, b);
      integerAsNumber(result);
      return result;
    }
    if ((typeof a === 'number' || typeof a === 'bigint') && (typeof b === 'number' || typeof b === 'bigint')) {
      const [left, right] = [asNumber(a), asNumber(b)];
      return checkedReal(real(left, right), left, right, whole);
    }
    return others(a, b, node, evaluator);
  };
}

function asNumber(value: number | bigint): number {
  return typeof value === 'bigint' ? integerAsNumber(value) : value;
}

function checkedReal(result: number, a: number, b: number, whole: (a: bigint, b: bigint) => bigint): number {
  if (Math.abs(result) < SAFE) return result;
  if (Number.isFinite(a) && Number.isFinite(b) && !Number.isFinite(result)) throw new Error('the number is too large');
  // Above 2^53 not every integer is representable, so exact integers outside that range are rejected.
  if (isInteger(a) && isInteger(b)) return integerAsNumber(whole(BigInt(a), BigInt(b)));
  return result;
}

/** Adds two numbers from data like `+`: the sum is exact or rejected. */
export function plus(a: number, b: number): number {
  return checkedReal(a + b, a, b, (x, y) => x + y);
}

function quotient(a: unknown, b: unknown, node: CelNode, evaluator: Evaluator): unknown {
  if (!isNumber(a) || !isNumber(b)) return standard(a, b, node, evaluator);
  if (Number(b) === 0) throw new Error('division by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return a / b;
  return asNumber(a) / asNumber(b);
}

function remainder(a: unknown, b: unknown, node: CelNode, evaluator: Evaluator): unknown {
  if (!isNumber(a) || !isNumber(b)) return standard(a, b, node, evaluator);
  if (Number(b) === 0) throw new Error('division by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return a % b;
  return asNumber(a) % asNumber(b);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function concatenated(a: unknown, b: unknown, node: CelNode, evaluator: Evaluator): unknown {
  if (typeof a === 'string' && typeof b === 'string') {
    chargeText(a.length + b.length);
    return a + b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    chargeList(a.length + b.length);
    return [...a, ...b];
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) chargeText(a.length + b.length);
  return standard(a, b, node, evaluator);
}

function contained(a: unknown, b: unknown, node: CelNode, evaluator: Evaluator): unknown {
  if (Array.isArray(b)) return b.some((item) => equal(a, item));
  if (isPlainObject(b)) {
    chargeKey(a);
    return Object.hasOwn(b, String(a));
  }
  return standard(a, b, node, evaluator);
}

function ordered(holds: (order: number) => boolean): Binary {
  return (a, b, node, evaluator) => {
    if ((isNumber(a) && isNumber(b)) || (typeof a === 'string' && typeof b === 'string')) return holds(compare(a, b));
    return standard(a, b, node, evaluator);
  };
}

const BINARY: Readonly<Record<string, Binary>> = {
  '+': arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
    concatenated,
  ),
  '-': arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
    standard,
  ),
  '*': arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
    standard,
  ),
  '/': quotient,
  '%': remainder,
  '==': (a, b) => equal(a, b),
  '!=': (a, b) => !equal(a, b),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  in: contained,
};

/** Replaces a binary operator: before type checking by types, afterwards by values. */
export function evaluateBinary(node: CelNode): void {
  const operator = BINARY[node.op];
  if (operator === undefined) return;
  const [left, right] = node.args as [CelNode, CelNode];
  node.setMeta('evaluate', (evaluator: Evaluator, _node: CelNode, context: Context) => {
    const a = evaluator.run(left, context);
    const b = evaluator.run(right, context);
    try {
      return operator(a, b, node, evaluator);
    } catch (error) {
      throw withLocation(error, node);
    }
  });
}

const NUMERIC: ReadonlySet<string> = new Set(['int', 'uint', 'double']);
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** Checks types like CEL, but lets all kinds of numbers, lists and maps mix. */
export function checkBinary(node: CelNode): void {
  if (BINARY[node.op] === undefined) return;
  const check = node.meta.check;
  const relaxed: NodeCheck = (checker, self, context) => {
    try {
      return check(checker, self, context);
    } catch (error) {
      if ((error as { node?: unknown }).node !== self) throw error;
      const [left, right] = self.args as [CelNode & { checkedType: CelType }, CelNode & { checkedType: CelType }];
      const types = [left.checkedType, right.checkedType] as const;
      const numbers = types.every(({ name }) => NUMERIC.has(name));
      const maps = types.every(({ kind }) => kind === 'map');
      if (COMPARISONS.has(self.op) && (numbers || maps || types[1].kind === 'list')) return checker.getType('bool');
      if (numbers) return checker.getType('double');
      if (self.op === '+' && types.every(({ kind }) => kind === 'list')) return checker.getType('list');
      throw error;
    }
  };
  node.setMeta('check', relaxed);
}

/** Lets the branches of a condition differ in type: people write `x ? y : null`, and JSON has no typed union. */
export function checkTernary(node: CelNode): void {
  const check = node.meta.check;
  node.setMeta('check', (checker, self, context) => {
    try {
      return check(checker, self, context);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'incompatible_ternary_branches') throw error;
      if ((error as { node?: unknown }).node !== self) throw error;
      return checker.getType('dyn');
    }
  });
}

/** Evaluates a map literal to an object with only own keys, which may have any name. */
export function evaluateMap(node: CelNode): void {
  const entries = node.args as [CelNode, CelNode][];
  if (entries.length === 0) return;
  node.setMeta('evaluate', (evaluator: Evaluator, _node: CelNode, context: Context) => {
    charge(entries.length);
    const result: Record<string, unknown> = {};
    for (const [key, value] of entries) {
      const name = evaluator.run(key, context);
      if (typeof name !== 'string' && typeof name !== 'boolean' && !isNumber(name)) {
        throw new Located(`the key of a map must be text, got ${kindOf(name)}`, key.start);
      }
      setKey(result, String(name), evaluator.run(value, context));
    }
    return result;
  });
}

export function withLocation(error: unknown, node: CelNode): unknown {
  if (isSpent()) return error;
  if (error instanceof Located || (error as { range?: unknown }).range !== undefined) return error;
  return new Located((error as Error).message, node.pos);
}
