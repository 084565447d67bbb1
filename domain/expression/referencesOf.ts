import { boundVariable } from './calls.ts';
import { type CelNode, childrenOf, Located } from './celNode.ts';
import { type MemberPath, memberPath } from './members.ts';
import { type CollectedReferences, emptyReferences, type References } from './references.ts';
import { restoreNames } from './reservedNames.ts';
import { EXECUTION_KEYS, LOOP_KEYS, ROOT_NAMES, STEP_KEYS } from './scope.ts';

/** Returns the references of an expression from its syntax tree. Throws for a reference that can never exist. */
export function referencesOf(root: CelNode, text: string): References {
  const found = emptyReferences();
  collect(root, [], found);
  collectPaths(root, text, found.paths);
  return found;
}

/** Skips `has()`, because its path may be missing. */
function collectPaths(node: CelNode, text: string, found: MemberPath[]): void {
  if (node.op === 'call' && (node.args as [string])[0] === 'has') return;
  const path = isMember(node) ? memberPath(node, text) : undefined;
  if (path !== undefined) {
    found.push(path);
    return;
  }
  if (node.op !== 'rcall') {
    for (const child of childrenOf(node)) collectPaths(child, text, found);
    return;
  }
  const [key, receiver, rest] = node.args as [string, CelNode, CelNode[]];
  const called = isMember(receiver) ? memberPath(receiver, text) : undefined;
  if (called) found.push({ ...called, method: { key, position: node.pos } });
  for (const child of called ? rest : [receiver, ...rest]) collectPaths(child, text, found);
}

function isMember({ op }: CelNode): boolean {
  return op === '.' || op === '[]';
}

/** `above` contains the enclosing nodes, the nearest first. */
function collect(node: CelNode, above: readonly CelNode[], found: CollectedReferences): void {
  if (node.op === 'id') noteName(node, above, found);
  if (node.op === 'call' || node.op === 'rcall') refuseShadow(node);
  const around = [node, ...above.slice(0, 1)];
  for (const child of childrenOf(node)) collect(child, around, found);
}

function refuseShadow(node: CelNode): void {
  const variable = boundVariable(node);
  const name = variable?.op === 'id' ? restoreNames(variable.args as string) : '';
  if (variable !== undefined && (ROOT_NAMES as readonly string[]).includes(name)) {
    throw new Located(`the name ${name} is taken`, variable.start, 'another name for the variable');
  }
}

/** Returns the constant key by which `around` reads a member of `node`, or undefined. */
function keyInto(node: CelNode, around: CelNode | undefined): string | undefined {
  if (around === undefined || !['.', '.?', '[]', '[?]'].includes(around.op)) return undefined;
  const [left, key] = around.args as [CelNode, CelNode | string];
  if (left !== node) return undefined;
  if (typeof key === 'string') return key;
  return key.op === 'value' && typeof key.args === 'string' ? key.args : undefined;
}

function noteName(node: CelNode, above: readonly CelNode[], found: CollectedReferences): void {
  const [parent, grandparent] = above;
  const key = keyInto(node, parent);
  switch (restoreNames(node.args as string)) {
    case 'trigger':
      found.trigger = true;
      return;
    case 'now':
      found.now = true;
      return;
    case 'loop':
      found.loop = true;
      return;
    case 'loops':
      if (key === undefined || parent === undefined) {
        found.loop = true;
        return;
      }
      found.loops.add(key);
      refuseOther(keyInto(parent, grandparent), LOOP_KEYS, `loops.${key}`, grandparent);
      return;
    case 'execution':
      refuseOther(key, EXECUTION_KEYS, 'execution', parent);
      return;
    case 'variables':
      if (key === undefined) found.allVariables = true;
      else found.variables.add(key);
      return;
    case 'steps':
      noteStep(key, parent, grandparent, found);
      return;
    default:
  }
}

function noteStep(
  key: string | undefined,
  parent: CelNode | undefined,
  grandparent: CelNode | undefined,
  found: CollectedReferences,
): void {
  if (key === undefined || parent === undefined) {
    found.allSteps = true;
    return;
  }
  if (key === 'trigger') throw new Located('the trigger is not a step', parent.pos, 'trigger instead of steps.trigger');
  const member = keyInto(parent, grandparent);
  (member === 'link' ? found.links : found.steps).add(key);
  refuseOther(member, STEP_KEYS, `steps.${key}`, grandparent);
}

function refuseOther(
  key: string | undefined,
  known: readonly string[],
  owner: string,
  node: CelNode | undefined,
): void {
  if (key === undefined || known.includes(key)) return;
  throw new Located(`${owner} has no ${key}`, node?.pos ?? 0, known.map((one) => `${owner}.${one}`).join(' or '));
}
