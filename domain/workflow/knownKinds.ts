import { type Catalogue, findAction } from '../app/manifest.ts';
import type { OutputSchema } from '../app/outputSchema.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import { type MemberPath, noMember } from '../expression/members.ts';
import type { FieldType } from '../field.ts';
import { isJsonObject, type Json } from '../json.ts';
import { isLoop, keepsOutputs, type Node, type TriggerNode } from './definition.ts';
import type { PlacedReferences } from './expressionProblems.ts';

const TEXT = 'text';
const NUMBER = 'a number';
const FLAG = 'true or false';
const LIST = 'a list';

/** Without `json`, which may be any kind. */
const OF_FIELD: Readonly<Partial<Record<FieldType, string>>> = {
  text: TEXT,
  longText: TEXT,
  secret: TEXT,
  select: TEXT,
  date: TEXT,
  number: NUMBER,
  boolean: FLAG,
  multiSelect: LIST,
};

export interface KnownKinds {
  trigger: TriggerNode;
  nodes: ReadonlyMap<string, Node>;
  catalogue: Catalogue;
}

/**
 * Reports members that cannot exist: `trigger.tags.length` for a multiSelect `tags`, or `steps.add.output.id` if the
 * schema of the action's output has no such member.
 */
export function checkMembers(
  { path, references }: PlacedReferences,
  known: KnownKinds,
  report: (path: string, message: string) => void,
): void {
  for (const member of references.paths) {
    const problem = outputsProblem(member, known) ?? problemOf(member, known);
    if (problem !== undefined) report(path, problem.message);
  }
}

function problemOf({ text, start, root, keys }: MemberPath, known: KnownKinds): ExpressionError | undefined {
  for (const [index, { key, position }] of keys.entries()) {
    if (typeof key !== 'string') continue;
    const before = keys.slice(0, index).map((one) => one.key);
    const kind = kindOf(root, before, key, known);
    if (kind === undefined) continue;
    const source = text.slice(start, position).replace(/[.\s[]+$/, '');
    return new ExpressionError({ reason: noMember(source, kind, key), text, position });
  }
  return undefined;
}

const COUNTS = ['total', 'completed', 'failed'];
/** Methods of objects that lists do not have. */
const OF_OBJECTS = /^(size|keys|entries)$/;

/** Reports a loop without kept outputs that is read as a list: by index, by method, or by another member. */
function outputsProblem({ text, root, keys, method }: MemberPath, known: KnownKinds): ExpressionError | undefined {
  const [id, part, member] = keys;
  const node = root === 'steps' && part?.key === 'output' ? known.nodes.get(String(id?.key)) : undefined;
  if (!node || !isLoop(node.type) || keepsOutputs(node)) return undefined;
  const read = member ?? (OF_OBJECTS.test(method?.key ?? 'size') ? undefined : method);
  if (read === undefined || COUNTS.includes(String(read.key))) return undefined;
  const kind = `an object of ${COUNTS.join(', ')} (keepOutputs: false)`;
  const reason = noMember(`steps.${node.id}.output`, kind, String(read.key));
  return new ExpressionError({ reason, text, position: read.position });
}

type Keys = readonly (string | number)[];

function kindOf(root: string, keys: Keys, key: string, known: KnownKinds): string | undefined {
  switch (root) {
    case 'trigger':
      return ofTrigger(known.trigger, keys);
    case 'steps':
      return ofActionOutput(known, keys, key) ?? ofStep(known.nodes, keys);
    case 'loop':
      return ofLoop(keys);
    case 'loops':
      return ofLoop(keys.slice(1));
    case 'execution':
      return keys.length === 0 ? undefined : keys[0] === 'number' ? NUMBER : TEXT;
    default:
      return undefined;
  }
}

function ofLoop(keys: Keys): string | undefined {
  return keys.length === 1 && (keys[0] === 'index' || keys[0] === 'total') ? NUMBER : undefined;
}

function ofTrigger({ type, config }: TriggerNode, keys: Keys): string | undefined {
  const [key] = keys;
  if (keys.length !== 1 || typeof key !== 'string') return undefined;
  if (type === 'manual') return ofField(config.fields as Json | undefined, key);
  if (type === 'webhook') return key === 'method' ? TEXT : undefined;
  if (type === 'schedule') return key === 'scheduledAt' || key === 'firedAt' ? TEXT : undefined;
  return type === 'queue' && key === 'items' ? LIST : undefined;
}

function ofField(fields: Json | undefined, key: string): string | undefined {
  if (!Array.isArray(fields)) return undefined;
  const field = fields.find((one) => isJsonObject(one) && one.key === key);
  return isJsonObject(field) ? OF_FIELD[field.type as FieldType] : undefined;
}

function ofStep(nodes: ReadonlyMap<string, Node>, [id, part, key, ...more]: Keys): string | undefined {
  const node = nodes.get(String(id));
  if (node === undefined || part === undefined || more.length > 0) return undefined;
  if (part === 'link') return key === undefined ? TEXT : undefined;
  if (part === 'error') return key === 'code' || key === 'message' ? TEXT : undefined;
  if (part !== 'output') return undefined;
  return key === undefined ? ofOutput(node) : ofMember(node, String(key));
}

function ofActionOutput({ nodes, catalogue }: KnownKinds, keys: Keys, key: string): string | undefined {
  const [id, part, ...inside] = keys;
  const node = nodes.get(String(id));
  if (part !== 'output' || node?.type !== 'action') return undefined;
  const whole = findAction(catalogue, String(node.appId), String(node.actionId))?.outputSchema;
  const schema = inside.reduce<OutputSchema | undefined>(
    (at, each) => (typeof each === 'number' ? at?.items : ownMember(at, each)),
    whole,
  );
  return schema && ofSchema(schema, key);
}

function ownMember({ properties = {} }: OutputSchema = {}, key: string): OutputSchema | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function ofSchema(schema: OutputSchema, key: string): string | undefined {
  const { type, properties = {}, additionalProperties } = schema;
  if (type !== 'object') return typeof type === 'string' ? OF_SCHEMA[type] : undefined;
  if (additionalProperties !== false || Object.hasOwn(properties, key)) return undefined;
  return `an object of ${Object.keys(properties).join(', ')}`;
}

const OF_SCHEMA: Readonly<Record<string, string>> = {
  string: TEXT,
  number: NUMBER,
  integer: NUMBER,
  boolean: FLAG,
  array: LIST,
};

function ofOutput(node: Node): string | undefined {
  return isLoop(node.type) && keepsOutputs(node) ? LIST : undefined;
}

function ofMember(node: Node, key: string): string | undefined {
  const { type, inputs } = node;
  if (type === 'condition') return key === 'result' ? FLAG : undefined;
  if (type === 'switch') return key === 'case' ? TEXT : undefined;
  if (type === 'delay') return key === 'resumedAt' ? TEXT : undefined;
  if (isLoop(type)) return keepsOutputs(node) ? undefined : NUMBER;
  // With several approvals the answers are in a list.
  return type === 'input' && inputs?.approvals === undefined ? ofField(inputs?.fields, key) : undefined;
}
