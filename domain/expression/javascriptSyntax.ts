import { insteadOfArrow } from './javascriptCalls.ts';
import { endOfLiteral } from './template.ts';

export interface JavascriptFound {
  position: number;
  reason: string;
}

interface Idiom {
  pattern: RegExp;
  write: (match: RegExpExecArray, text: string, masked: string) => string;
  name?: string;
}

const IDIOMS: readonly Idiom[] = [
  { pattern: /`/, name: 'text in backticks', write: () => '"…" + value + "…", or text with {{ }} in it' },
  { pattern: /=>/, write: writeArrow },
  { pattern: /===/, write: () => '==' },
  { pattern: /!==/, write: () => '!=' },
  {
    pattern: /\?\.(?=[A-Za-z_[])/,
    write: ({ index }, text) => `.?, as in ${pathBefore(text, index)}.?${nameAt(text, index + 2)}.orValue(null)`,
  },
  { pattern: /\?\?/, write: ({ index }, text) => `${optional(pathBefore(text, index))}.orValue(…)` },
  { pattern: /\.\.\./, write: () => 'merge(a, b) for maps, a + b for lists' },
  { pattern: /\bnew\s+Date\s*\(\s*\)/, write: () => 'now' },
  { pattern: /\bnew\s+Date\b/, write: () => 'timestamp(…)' },
  { pattern: /\bnew\s+[A-Za-z]+/, write: () => 'a value: expressions have no new' },
  { pattern: /\btypeof\b/, write: () => 'type(x)' },
  { pattern: /\+\+|--(?=\s*$)|[+\-*/]=(?!=)/, write: () => 'x + 1: expressions cannot change variables' },
  { pattern: /(?<![=!<>])=(?!=)/, write: () => '==, or cel.bind(x, value, …) to name a value' },
  {
    pattern: /(?:^|[(,=&|!?:]\s*)\/(?=[^/\s])/,
    name: 'a pattern between slashes',
    write: () => 'matches(text, "pattern")',
  },
  { pattern: /\band\b/, write: () => '&&' },
  { pattern: /\bor\b/, write: () => '||' },
  { pattern: /\bnot\b/, write: () => '!' },
  { pattern: /\bif\b/, write: () => 'condition ? one : other' },
  {
    pattern: /\b(?:const|let|var|return|function|await|for|while)\b/,
    write: () => 'one expression, or use the action code.javascript',
  },
];

export function javascriptIn(text: string): JavascriptFound | undefined {
  const masked = withoutLiterals(text);
  let first: JavascriptFound | undefined;
  for (const { pattern, write, name } of IDIOMS) {
    const match = pattern.exec(masked);
    if (match === null || (first !== undefined && first.position <= match.index)) continue;
    first = { position: match.index, reason: `there is no ${name ?? match[0]}: write ${write(match, text, masked)}` };
  }
  return first;
}

const NAMES: Readonly<Record<string, string>> = {
  undefined: 'null, or has(path) to check whether it exists',
  None: 'null',
  nil: 'null',
  True: 'true',
  False: 'false',
  NaN: 'a comparison: expressions have no NaN',
  Math: 'round(), floor(), min() and so on',
  Date: 'now, or timestamp(…)',
  this: 'the name of a root',
  input: 'trigger',
  inputs: 'trigger',
  env: 'variables',
  vars: 'variables',
};

export function insteadOfName(text: string, position: number): string | undefined {
  const name = nameAt(text, position);
  // In CEL the key in `{name: 1}` is a variable.
  if (/[{,]\s*$/.test(text.slice(0, position)) && /^\s*:/.test(text.slice(position + name.length))) return `"${name}"`;
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
}

/** Replaces the characters of literals by spaces, so that positions stay the same. */
function withoutLiterals(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    const end = char === '"' || char === "'" ? Math.min(endOfLiteral(text, at, char), text.length) : at + 1;
    result += end > at + 1 ? '"'.padEnd(end - at - 1, ' ').concat('"') : char;
    at = end;
  }
  return result;
}

function writeArrow({ index }: RegExpExecArray, text: string, masked: string): string {
  const call = /([A-Za-z_]\w*)\s*\(\s*\(?\s*([A-Za-z_]\w*)[^()]*\)?\s*$/.exec(masked.slice(0, index));
  if (call === null) return 'list.map(x, …)';
  const [, method = 'map', variable = 'x'] = call;
  return `list.${insteadOfArrow(method, variable, text.slice(index + 2, endOfArgument(masked, index + 2)).trim())}`;
}

function endOfArgument(masked: string, from: number): number {
  let depth = 0;
  for (let at = from; at < masked.length; at += 1) {
    const char = masked[at] as string;
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (depth < 0 || (depth === 0 && char === ',')) return at;
  }
  return masked.length;
}

function pathBefore(text: string, end: number): string {
  return /[A-Za-z_][\w.?[\]"'-]*\s*$/.exec(text.slice(0, end))?.[0].trim() ?? 'path';
}

function optional(path: string): string {
  return path.includes('?') ? path : path.replace(/\.(\w+)$/, '.?$1');
}

function nameAt(text: string, position: number): string {
  return /^\w*/.exec(text.slice(position))?.[0] ?? '';
}
