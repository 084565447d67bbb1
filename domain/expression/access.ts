import { Optional } from '@marcbachmann/cel-js';
import { ownMember } from '../ownMember.ts';
import { type CelNode, type Context, type Evaluator, Located, sourceOf } from './celNode.ts';
import { kindOf } from './functions/argument.ts';
import { insteadOfMember } from './members.ts';
import { chargeFailure, chargeKey } from './meter.ts';
import { isPlainObject } from './result.ts';
import { ROOT_NAMES } from './scope.ts';

/** Returns the own member of a list or map, never one of its prototype; undefined if there is none. */
function held(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    return typeof key === 'bigint' || typeof key === 'number' ? value[Number(key)] : undefined;
  }
  if (isPlainObject(value)) {
    chargeKey(key);
    return ownMember(value, String(key));
  }
  return undefined;
}

const SHOWN = 120;

function missing(value: unknown, key: unknown, node: CelNode): Located {
  chargeFailure();
  const [leftNode, right] = node.args as [CelNode, CelNode | string];
  const [path, left] = [sourceOf(node), sourceOf(leftNode)];
  const place = typeof right === 'string' ? node.pos : right.start;
  if (left === 'steps') return new Located(`${path} is missing: that step has not run, or was skipped`, place);
  if (Array.isArray(value)) {
    if (typeof key !== 'bigint' && typeof key !== 'number') {
      const instead = insteadOfMember(left, 'a list', String(key));
      return new Located(`${path} is missing: ${left} is a list${instead}`, place, instead ? undefined : 'an index');
    }
    return new Located(`${path} is missing: ${left} has ${value.length} elements, index ${key} is out of range`, place);
  }
  if (isPlainObject(value))
    return new Located(`${path} is missing: ${left} has no key ${JSON.stringify(String(key).slice(0, SHOWN))}`, place);
  const kind = kindOf(value);
  return new Located(`${path} is missing: ${left} is ${kind}${insteadOfMember(left, kind, String(key))}`, place);
}

type Key = (evaluator: Evaluator, context: Context) => unknown;

function keyOf(node: CelNode): Key {
  const [, right] = node.args as [CelNode, CelNode | string];
  return typeof right === 'string' ? () => right : (evaluator, context) => evaluator.run(right, context);
}

export function evaluateAccess(node: CelNode): void {
  const [left] = node.args as [CelNode];
  const keyValue = keyOf(node);
  node.setMeta('evaluate', (evaluator, _node, context) => {
    const value = evaluator.run(left, context);
    const key = keyValue(evaluator, context);
    if (value instanceof Optional) return optional(value, key);
    const found = held(value, key);
    if (found === undefined) throw missing(value, key, node);
    return found;
  });
}

export function evaluateOptionalAccess(node: CelNode): void {
  const [left] = node.args as [CelNode];
  const keyValue = keyOf(node);
  node.setMeta('evaluate', (evaluator, _node, context) => {
    const value = evaluator.run(left, context);
    const key = keyValue(evaluator, context);
    return value instanceof Optional ? optional(value, key) : Optional.of(held(value, key));
  });
}

function optional(value: Optional, key: unknown): unknown {
  return value.hasValue() ? Optional.of(held(value.value(), key)) : Optional.none();
}

const ABSENT: Readonly<Record<string, string>> = { now: 'now is not available here' };

/** Evaluates a name of the scope. `loop` exists only inside loops, `now` only when a step begins. */
export function evaluateName(node: CelNode): void {
  const name = sourceOf(node);
  if (!(ROOT_NAMES as readonly string[]).includes(name)) return;
  node.setMeta('evaluate', (_evaluator, _node, context) => {
    const value = context.getValue(name);
    if (value === undefined) throw new Located(ABSENT[name] ?? `${name} exists only inside loops`, node.pos);
    return name === 'now' ? new Date(value as string) : value;
  });
}

const ACCESS = new Set(['.', '.?', '[]', '[?]']);

/** Evaluates `has(a.b.c)`: true if the whole path exists, false if any part is missing. */
export function replaceHas(node: CelNode): void {
  const [, args] = node.args as [string, CelNode[]];
  const [path] = args;
  if (path === undefined || args.length !== 1 || !ACCESS.has(path.op)) {
    throw new Located('has() needs a path', path?.start ?? node.end - 1, 'a path like trigger.body');
  }
  node.setMeta('macro', undefined);
  node.setMeta('async', false);
  node.setMeta('check', (checker, _node, context) => {
    checker.check(path, context);
    return checker.getType('bool');
  });
  node.setMeta('evaluate', (evaluator, _node, context) => found(path, evaluator, context) !== undefined);
}

function found(node: CelNode, evaluator: Evaluator, context: Context): unknown {
  if (!ACCESS.has(node.op)) return evaluator.run(node, context);
  const [left] = node.args as [CelNode];
  const value = found(left, evaluator, context);
  const inner = value instanceof Optional ? (value.hasValue() ? value.value() : undefined) : value;
  return inner === undefined ? undefined : held(inner, keyOf(node)(evaluator, context));
}
