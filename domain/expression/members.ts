import { type CelNode, type CelType, Located, sourceOf } from './celNode.ts';
import { restoreNames } from './reservedNames.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a number',
  uint: 'a number',
  double: 'a number',
  bool: 'true or false',
  bytes: 'bytes',
  'google.protobuf.Timestamp': 'a time',
  'google.protobuf.Duration': 'a duration',
};

/** Rejects `abc.length` before evaluation if the type of `abc` is known and is not a map. */
export function checkMember(node: CelNode): void {
  const [left, key] = node.args as [CelNode, CelNode | string];
  if (node.op !== '.' || typeof key !== 'string') return;
  const check = node.meta.check;
  node.setMeta('check', (checker, self, context) => {
    const kind = kindOfType(checker.check(left, context));
    if (kind !== undefined) throw new Located(noMember(sourceOf(left), kind, key), node.pos);
    return check(checker, self, context);
  });
}

function kindOfType({ name, kind }: CelType): string | undefined {
  return kind === 'list' ? 'a list' : KINDS[name];
}

/** `tags is a list, and has no length: write size(tags)` */
export function noMember(source: string, kind: string, key: string): string {
  return `${source} is ${kind}, and has no ${key}${insteadOfMember(source, kind, key)}`;
}

export function insteadOfMember(source: string, kind: string, key: string): string {
  const isSized = kind === 'a list' || kind === 'text';
  return key === 'length' && isSized ? `: write size(${source})` : '';
}

/** A path from a root, such as `trigger.tags.length` or `steps["a-b"].output`, with the positions of its keys. */
export interface MemberPath {
  text: string;
  start: number;
  root: string;
  keys: readonly { key: string | number; position: number }[];
  method?: { key: string; position: number };
}

/** Returns the path that a node reads, if all its keys are constant. */
export function memberPath(node: CelNode, text: string): MemberPath | undefined {
  const keys: { key: string | number; position: number }[] = [];
  let at = node;
  while (at.op === '.' || at.op === '[]') {
    const [left, key] = at.args as [CelNode, CelNode | string];
    const literal = typeof key === 'string' ? key : keyOf(key);
    if (literal === undefined) return undefined;
    keys.push({ key: literal, position: at.pos });
    at = left;
  }
  if (at.op !== 'id') return undefined;
  return { text, start: node.start, root: restoreNames(at.args as string), keys: keys.reverse() };
}

function keyOf({ op, args }: CelNode): string | number | undefined {
  if (op !== 'value') return undefined;
  if (typeof args === 'bigint') return Number(args);
  return typeof args === 'string' ? args : undefined;
}
