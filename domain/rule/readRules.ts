import { type CelNode, sourceOf } from '../expression/celNode.ts';
import { expressionTree } from '../expression/program.ts';
import { restoreNames } from '../expression/reservedNames.ts';
import type { Json } from '../json.ts';
import type { Rule, RuleOperator, Rules } from './rule.ts';
import { EMPTY_VALUES, ORDER_SIGNS } from './ruleExpression.ts';
import { pathOfKeys, type RuleKeys } from './rulePath.ts';

/** Reads an expression, without braces, as rules; undefined if it is more than rules joined by one of && and ||. */
export function readRules(expression: string): Rules | undefined {
  const root = expressionTree(expression);
  if (root === undefined) return undefined;
  if (root.op === '||') {
    const rules = operandsOf(root, '||').map((node) => onlyRule(operandsOf(node, '&&')));
    return rules.every((rule) => rule !== undefined) ? { match: 'any', rules } : undefined;
  }
  const rules = rulesOf(operandsOf(root, '&&'));
  return rules === undefined ? undefined : { match: 'all', rules };
}

function operandsOf(node: CelNode, op: string): CelNode[] {
  return node.op === op ? (node.args as CelNode[]).flatMap((each) => operandsOf(each, op)) : [node];
}

function onlyRule(nodes: readonly CelNode[]): Rule | undefined {
  const rules = rulesOf(nodes);
  return rules?.length === 1 ? rules[0] : undefined;
}

function rulesOf(nodes: readonly CelNode[]): Rule[] | undefined {
  const rules: Rule[] = [];
  for (let at = 0; at < nodes.length; at += 1) {
    const rule = ruleOf(nodes[at] as CelNode);
    if (rule === undefined) return undefined;
    const next = isGuard(rule) && nodes[at + 1] !== undefined ? ruleOf(nodes[at + 1] as CelNode) : undefined;
    // `a != null && a > 3` is one rule.
    if (next === undefined || next.field !== rule.field || !FAILS_FOR_NULL.has(next.operator)) rules.push(rule);
    else {
      rules.push(next);
      at += 1;
    }
  }
  return rules;
}

const isGuard = ({ operator, value }: Rule) => operator === 'notEquals' && value === null;

const FAILS_FOR_NULL: ReadonlySet<RuleOperator> = new Set([
  ...(Object.keys(ORDER_SIGNS) as RuleOperator[]),
  'contains',
  'startsWith',
  'endsWith',
]);

const OPERATORS: Readonly<Record<string, RuleOperator>> = {
  ...{ '==': 'equals', '!=': 'notEquals', in: 'in' },
  ...Object.fromEntries(Object.entries(ORDER_SIGNS).map(([operator, sign]) => [sign, operator as RuleOperator])),
};

const TEXT_CALLS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);

function ruleOf(node: CelNode): Rule | undefined {
  const { op, args } = node;
  if (op === '!_') return oppositeOf(args as CelNode);
  if (op === 'call' || op === 'rcall') {
    const [name, operands] = callOf(node);
    if (TEXT_CALLS.has(name)) return operands.length === 2 ? madeRule(name as RuleOperator, operands) : undefined;
  }
  const operator = OPERATORS[op];
  if (operator !== undefined) return madeRule(operator, args as CelNode[]);
  const keys = keysIn(node);
  return keys === undefined ? undefined : { field: pathOfKeys(keys), operator: 'equals', value: true };
}

function oppositeOf(node: CelNode): Rule | undefined {
  const rule = onlyRule(operandsOf(node, '&&'));
  if (rule === undefined) return undefined;
  const { field, operator } = rule;
  if (operator === 'isEmpty') return { field, operator: 'isNotEmpty' };
  if (operator === 'in') return { ...rule, operator: 'notIn' };
  return operator === 'contains' ? { ...rule, operator: 'notContains' } : undefined;
}

function callOf({ op, args }: CelNode): [name: string, operands: CelNode[]] {
  if (op === 'call') return args as [string, CelNode[]];
  const [name, receiver, rest] = args as [string, CelNode, CelNode[]];
  return [name, [receiver, ...rest]];
}

function madeRule(operator: RuleOperator, [of, given]: readonly CelNode[]): Rule | undefined {
  const keys = of === undefined ? undefined : keysIn(of);
  if (keys === undefined || given === undefined) return undefined;
  const field = pathOfKeys(keys);
  if (operator === 'in' && sourceOf(given) === EMPTY_VALUES) return { field, operator: 'isEmpty' };
  return { field, operator, value: valueIn(given) };
}

/** Reads `a.b` and `a.?b.orValue(null)`. */
function keysIn(node: CelNode): RuleKeys | undefined {
  if (node.op !== 'rcall') return memberKeys(node);
  const [name, receiver, [otherwise]] = node.args as [string, CelNode, CelNode[]];
  if (name !== 'orValue' || otherwise?.op !== 'value') return undefined;
  return otherwise.args === null || otherwise.args === false ? memberKeys(receiver) : undefined;
}

function memberKeys(node: CelNode): RuleKeys | undefined {
  const { op, args } = node;
  if (op === 'id') return [restoreNames(args as string)];
  if (!['.', '.?', '[]', '[?]'].includes(op)) return undefined;
  const [of, member] = args as [CelNode, CelNode | string];
  const keys = memberKeys(of);
  const key = typeof member === 'string' ? member : literalOf(member);
  if (keys === undefined || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  return [...keys, key];
}

function literalOf({ op, args }: CelNode): Json | undefined {
  if (op === '-_') {
    const number = literalOf(args as CelNode);
    return typeof number === 'number' ? -number : undefined;
  }
  if (op !== 'value') return undefined;
  if (typeof args === 'bigint') return Number(args);
  return args === null || ['string', 'number', 'boolean'].includes(typeof args) ? (args as Json) : undefined;
}

function valueIn(node: CelNode): Json {
  const literal = literalOf(node);
  if (literal !== undefined) return literal;
  if (node.op === 'list') return (node.args as CelNode[]).map(valueIn);
  if (node.op === 'map') {
    const members = (node.args as [CelNode, CelNode][]).map(
      ([key, value]) => [literalOf(key), valueIn(value)] as const,
    );
    if (members.every(([key]) => typeof key === 'string')) return Object.fromEntries(members);
  }
  return `{{ ${sourceOf(node)} }}`;
}
