import { endOfLiteral } from '../../domain/expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Completion, Completions } from '../parts/fieldCompletion.ts';
import type { FunctionHelp } from './rulesAnswers.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A path, as far as it is typed: `steps.ask.output.am`, `steps["a-b"].`. */
const PATH = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*|\[(?:"[^"]*"|'[^']*'|\d+)\])*\.?$/;

/** What may be written at a position of a text with `{{ }}`; undefined outside of expressions and inside of their texts. */
export function completionsAt(
  text: string,
  position: number,
  known: JsonObject,
  functions: readonly FunctionHelp[],
): Completions | undefined {
  const start = expressionStart(text, position);
  if (start === undefined) return undefined;
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
    // A member of what is no path: `f(x).`
    if (/\.\s*[A-Za-z0-9_]*$/.test(before)) return { from, options: methods(functions) };
    return { from, options: [...roots(known), ...functions.map(asFunction)] };
  }
  const value = valueAt(known, keys);
  const members = isJsonObject(value) ? Object.keys(value).map((key) => asMember(key, value[key] as Json)) : [];
  return { from, options: [...members, ...(keys.length > 1 || !isJsonObject(value) ? methods(functions) : [])] };
}

function roots(known: JsonObject): Completion[] {
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

function asMember(key: string, value: Json): Completion {
  const detail = shortText(value);
  const member = { label: key, kind: 'property' as const, ...(detail === '' ? {} : { detail }) };
  // Behind the dot that was typed: CEL has no other way to name it than by brackets, in place of the dot.
  return NAME.test(key) ? member : { ...member, apply: `[${JSON.stringify(key)}]` };
}

const SHOWN = 40;

function shortText(value: Json): string {
  if (value === null || value === '') return '';
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function valueAt(root: Json, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/** Where the expression begins that the position is in; undefined outside, and inside of a text literal. */
function expressionStart(text: string, position: number): number | undefined {
  const open = text.lastIndexOf('{{', position - 1);
  if (open === -1 || open + 2 > position) return undefined;
  for (let at = open + 2; at < position; at += 1) {
    const char = text[at];
    if (text.startsWith('}}', at)) return undefined;
    if (char !== '"' && char !== "'") continue;
    const end = endOfLiteral(text, at, char);
    if (end > position) return undefined;
    at = end - 1;
  }
  return open + 2;
}
