import type { CelNode } from '../expression/celNode.ts';
import { FUNCTION_BY_NAME } from '../expression/functions/table.ts';
import { expressionTree } from '../expression/program.ts';
import { restoreNames } from '../expression/reservedNames.ts';
import { callSchema } from './callSchema.ts';
import {
  elementOf,
  FLAG,
  kindOf,
  listOf,
  literalSchema,
  memberOf,
  NUMBER,
  oneOf,
  SPAN,
  TEXT,
  TIME,
  UNKNOWN,
  type ValueSchema,
} from './valueSchema.ts';

export interface Names {
  /** `trigger`, `loop`, `execution`, `now`, and variables of macros. */
  root(name: string): ValueSchema;
  step(id: string): ValueSchema;
  loop(id: string): ValueSchema;
}

/** Returns what is known about an expression's value if the expression succeeds. Never throws. */
export function expressionSchema(text: string, names: Names): ValueSchema {
  const tree = expressionTree(text);
  return tree === undefined ? UNKNOWN : schemaOf(tree, names);
}

/** Returns the schema of a node's value. An optional (`.?`) is unknown until orValue reads it. */
export function schemaOf(node: CelNode, names: Names): ValueSchema {
  return isOptional(node) ? UNKNOWN : reached(node, names);
}

function isOptional({ op, args }: CelNode): boolean {
  if (op === '.?' || op === '[?]') return true;
  return (op === '.' || op === '[]') && isOptional((args as [CelNode])[0]);
}

function reached(node: CelNode, names: Names): ValueSchema {
  const { op, args } = node;
  switch (op) {
    case 'value':
      return valueSchema(args);
    case 'id':
      return names.root(restoreNames(args as string));
    case '.':
    case '.?':
    case '[]':
    case '[?]':
      return accessed(node, names);
    case '!_':
      return FLAG;
    case '-_':
      return kindOf(schemaOf(args as CelNode, names)) === 'span' ? SPAN : NUMBER;
    case '?:': {
      const [, yes, no] = args as CelNode[];
      return oneOf([schemaOf(yes as CelNode, names), schemaOf(no as CelNode, names)]);
    }
    case 'list': {
      const items = (args as CelNode[]).map((each) => schemaOf(each, names));
      return listOf(items.length === 0 ? UNKNOWN : oneOf(items));
    }
    case 'map':
      return mapSchema(args as [CelNode, CelNode][], names);
    case 'call': {
      const [name, given] = args as [string, CelNode[]];
      return called(name, given, names);
    }
    case 'rcall': {
      const [name, receiver, rest] = args as [string, CelNode, CelNode[]];
      return called(name, [receiver, ...rest], names);
    }
    default:
      return binary(op, args as CelNode[], names);
  }
}

function called(name: string, given: CelNode[], names: Names): ValueSchema {
  return callSchema(name, given, {
    of: (node) => schemaOf(node, names),
    ofOptional: (node) => reached(node, names),
    within: (node, variable, schema) =>
      schemaOf(node, { ...names, root: (root) => (root === variable ? schema : names.root(root)) }),
    returned: FUNCTION_BY_NAME.get(name)?.returns,
  });
}

function valueSchema(value: unknown): ValueSchema {
  if (typeof value === 'bigint') return { const: Number(value) };
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? literalSchema(value as string | number | boolean | null) : UNKNOWN;
}

/** Handles a member or an element. `steps.<id>.output` and `loops.<id>` are separate names. */
function accessed(node: CelNode, names: Names): ValueSchema {
  const [object] = node.args as [CelNode];
  const key = keyOf(node);
  const root = object.op === 'id' ? restoreNames(object.args as string) : undefined;
  if (root === 'loops') return typeof key === 'string' ? names.loop(key) : UNKNOWN;
  if (root === 'steps') return UNKNOWN;
  const [inner] = object.args as [CelNode];
  const isOfStep = (object.op === '.' || object.op === '[]') && inner.op === 'id' && inner.args === 'steps';
  if (isOfStep) {
    const id = keyOf(object);
    return key === 'output' && typeof id === 'string' ? names.step(id) : key === 'link' ? TEXT : UNKNOWN;
  }
  const of = reached(object, names);
  return typeof key === 'string' ? memberOf(of, key) : kindOf(of) === 'list' ? elementOf(of) : UNKNOWN;
}

function keyOf({ op, args }: CelNode): string | number | undefined {
  const [, key] = args as [CelNode, string | CelNode];
  if (op === '.' || op === '.?') return typeof key === 'string' ? key : undefined;
  const { op: inside, args: value } = key as CelNode;
  if (inside !== 'value') return undefined;
  return typeof value === 'bigint' ? Number(value) : (value as string);
}

function mapSchema(entries: [CelNode, CelNode][], names: Names): ValueSchema {
  const members = entries.map(([key, value]): [unknown, ValueSchema] => [
    key.op === 'value' ? key.args : undefined,
    schemaOf(value, names),
  ]);
  if (members.every((each): each is [string, ValueSchema] => typeof each[0] === 'string')) {
    const properties = Object.fromEntries(members);
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  }
  return { type: 'object', additionalProperties: oneOf(members.map(([, schema]) => schema)) };
}

const FLAGS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||']);

function binary(op: string, [left, right]: CelNode[], names: Names): ValueSchema {
  if (FLAGS.has(op)) return FLAG;
  if (op === '*' || op === '/' || op === '%') return NUMBER;
  if ((op !== '+' && op !== '-') || left === undefined || right === undefined) return UNKNOWN;
  const sides = [schemaOf(left, names), schemaOf(right, names)];
  const kinds = sides.map(kindOf);
  if (kinds.includes('number')) return NUMBER;
  if (kinds.includes('time'))
    return op === '-' && kinds[1] === 'time' ? SPAN : kinds[1] === undefined && op === '-' ? UNKNOWN : TIME;
  if (kinds.every((kind) => kind === 'span')) return SPAN;
  if (op === '-') return UNKNOWN;
  if (kinds.includes('text')) return TEXT;
  return kinds.includes('list') ? listOf(oneOf(sides.map(elementOf))) : UNKNOWN;
}
