import { endOfLiteral } from '../../../../domain/expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import type { Completion, Completions } from '../../../ui/code/fieldCompletion.ts';
import { valueAt } from '../model/knownValues.ts';
import type { FunctionHelp } from '../model/rules.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.values;

export interface Readable {
  /** Values that the expression may read, or examples that show their members. */
  known: JsonObject;
  functions: readonly FunctionHelp[];
  nameOf: (id: string) => string;
}

/** A partly typed path: `steps.ask.output.am`, `steps["a-b"].` */
const PATH = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*|\[(?:"[^"]*"|'[^']*'|\d+)\])*\.?$/;

/** Text after which a value may start: nothing, an operator, an opening bracket or a comma. */
const BEFORE_VALUE = /(?:^|[([{,:?<>=!&|+\-*/%]|\bin)\s*$/;

/**
 * Returns completions at a position; undefined in a string literal. Outside of `{{ }}` these are whole expressions, on
 * request only.
 */
export function completionsAt(
  text: string,
  position: number,
  readable: Readable,
  isAsked = false,
): (Completions & { isWhole?: boolean }) | undefined {
  const { known, functions, nameOf } = readable;
  const start = expressionStart(text, position);
  if (start === 'literal') return undefined;
  if (start === undefined) {
    if (!isAsked) return undefined;
    const whole = paths(readable).map((one) => ({ ...one, apply: `{{ ${one.label} }}` }));
    return { from: position, options: whole, isWhole: true };
  }
  const before = text.slice(start, position);
  const [path = ''] = PATH.exec(before) ?? [];
  const keys = [...path.matchAll(/([A-Za-z_][A-Za-z0-9_]*)|\[("[^"]*"|'[^']*'|\d+)\]/g)].map(
    ([, name, quoted]) => name ?? (quoted as string).replace(/^["']|["']$/g, ''),
  );
  const isNext = path.endsWith('.');
  const typed = isNext || path === '' || path.endsWith(']') ? '' : (keys.pop() ?? '');
  const from = position - typed.length;
  if (path.endsWith(']')) return undefined;
  if (keys.length === 0) {
    // A member of a value that is not a path: `f(x).`
    if (/\.\s*[A-Za-z0-9_]*$/.test(before)) return { from, options: methods(functions) };
    // No value can follow a complete one. A list here would capture Enter.
    if (!isAsked && typed === '' && !BEFORE_VALUE.test(before)) return undefined;
    const calls = functions.map((one) => ({ ...asFunction(one), section: words.functions }));
    return { from, options: [...roots(known), ...paths(readable), ...calls] };
  }
  const value = valueAt(known, keys);
  const isSteps = keys.length === 1 && keys[0] === 'steps';
  const members = isJsonObject(value)
    ? Object.entries(value).map(([key, member]) => asMember(key, isSteps ? nameOf(key) : shortText(member)))
    : [];
  return { from, options: [...members, ...(keys.length > 1 || !isJsonObject(value) ? methods(functions) : [])] };
}

/** Lists values by full path, grouped by source, so that any part of the path finds them. */
function paths({ known, nameOf }: Readable): Completion[] {
  const nameOfPart = ({ of }: ReadablePath) => ('step' in of ? nameOf(of.step) : (words.roots[of.root] ?? of.root));
  return readablePaths(known).map((one) => ({
    label: one.path,
    kind: 'variable',
    section: nameOfPart(one),
    ...detailed(shortText(one.value)),
  }));
}

/** Names that a path may start with. `paths` already contains the trigger. */
function roots({ trigger: _, ...known }: JsonObject): Completion[] {
  const names = [...Object.keys(known), ...(known.steps === undefined ? [] : ['now'])];
  return names.map((label) => ({ label, kind: 'variable' }));
}

const asFunction = ({ name, signature, doc }: FunctionHelp): Completion => ({
  label: name,
  apply: `${name}(`,
  detail: `${signature}: ${doc}`,
  kind: 'function',
});

/** `f(a, b)` and `a.f(b)` are the same call. */
function methods(functions: readonly FunctionHelp[]): Completion[] {
  return functions.map(asFunction);
}

function asMember(key: string, detail: string): Completion {
  const member = { label: key, kind: 'property' as const, ...detailed(detail) };
  // After a dot, CEL can only name such a key with brackets, which replace the dot.
  return IS_NAME.test(key) ? member : { ...member, apply: `[${JSON.stringify(key)}]` };
}

const detailed = (detail: string) => (detail === '' ? {} : { detail });

const SHOWN = 40;

function shortText(value: Json): string {
  if (value === null || value === '') return '';
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Returns the start of the expression around the position; undefined outside of expressions. */
function expressionStart(text: string, position: number): number | 'literal' | undefined {
  const open = text.lastIndexOf('{{', position - 1);
  if (open === -1 || open + 2 > position) return undefined;
  for (let at = open + 2; at < position; at += 1) {
    const char = text[at];
    if (text.startsWith('}}', at)) return undefined;
    if (char !== '"' && char !== "'") continue;
    const end = endOfLiteral(text, at, char);
    if (end > position) return 'literal';
    at = end - 1;
  }
  return open + 2;
}

interface ReadablePath {
  path: string;
  value: Json;
  of: { step: string } | { root: string };
}

/** Keys that CEL accepts after a dot. */
const IS_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Levels of members to list. For a step, that is two levels of its output. */
const DEPTH = 3;
const MAX_OF_ONE = 40;
const MAX_PATHS = 400;

function memberPath(path: string, key: string): string {
  return IS_NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/**
 * Lists known values, the nearest first: at most 40 per source and 400 in all. Deeper ones are reached by typing on.
 */
export function readablePaths(known: JsonObject): ReadablePath[] {
  const { loop = {}, steps = {}, trigger = {}, ...others } = known;
  const ofRoot = ([root, value]: [string, Json]) => within({ path: root, value, of: { root } });
  const ofSteps = Object.entries(isJsonObject(steps) ? steps : {}).flatMap(([step, value]) =>
    within({ path: memberPath('steps', step), value, of: { step } }),
  );
  const whole: ReadablePath = { path: 'trigger', value: trigger, of: { root: 'trigger' } };
  const further = Object.entries(others).flatMap(ofRoot);
  return [...ofRoot(['loop', loop]), ...ofSteps, whole, ...within(whole), ...ofBatch(trigger), ...further].slice(
    0,
    MAX_PATHS,
  );
}

/** Lists members of the first item of a batch, because all items are alike. */
function ofBatch(trigger: Json): ReadablePath[] {
  const items = isJsonObject(trigger) ? trigger.items : undefined;
  const first = Array.isArray(items) ? items[0] : undefined;
  return isJsonObject(first) ? within({ path: 'trigger.items[0]', value: first, of: { root: 'trigger' } }) : [];
}

function within(top: ReadablePath): ReadablePath[] {
  const found: ReadablePath[] = [];
  let level = [top];
  for (let below = 0; below < DEPTH && found.length < MAX_OF_ONE; below += 1) {
    level = level.flatMap(membersOf).slice(0, MAX_OF_ONE - found.length);
    found.push(...level);
  }
  return found;
}

function membersOf({ path, value, of }: ReadablePath): ReadablePath[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, member]) => ({ path: memberPath(path, key), value: member, of }));
}
