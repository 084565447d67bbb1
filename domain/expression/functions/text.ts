import { charge } from '../budget.ts';
import { toJson } from '../result.ts';
import { chargedText, integerAt, kindOf, listAt, textAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';
import { equal } from './order.ts';
import { pattern } from './pattern.ts';

const SURROGATE = /[\ud800-\udfff]/;

// Positions count characters as size() does: code points, not UTF-16 units.
function slice(text: string, start: number, end?: number): string {
  return SURROGATE.test(text) ? [...text].slice(start, end).join('') : text.slice(start, end);
}

function position(text: string, unit: number): number {
  return unit <= 0 ? unit : [...text.slice(0, unit)].length;
}

function characters(text: string): number {
  return SURROGATE.test(text) ? [...text].length : text.length;
}

function pad(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  const filling = args.length > 2 ? textAt(args, 2) : ' ';
  const missing = integerAt(args, 1) - characters(text);
  if (missing <= 0) return '';
  if (filling === '') throw new Error('the third argument must not be empty');
  charge(missing);
  chargedText({ length: missing } as string);
  return slice(filling.repeat(Math.ceil(missing / characters(filling))), 0, missing);
}

/** The text of a list's element: text as it is, anything else as JSON. */
function elementText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(toJson(value));
}

function contains(args: readonly unknown[]): boolean {
  if (Array.isArray(args[0])) return listAt(args, 0).some((item) => equal(item, args[1]));
  if (typeof args[0] !== 'string') throw new Error(`the first argument must be text or a list, got ${kindOf(args[0])}`);
  return textAt(args, 0).includes(textAt(args, 1));
}

function indexOf(args: readonly unknown[]): number {
  if (Array.isArray(args[0])) return listAt(args, 0).findIndex((item) => equal(item, args[1]));
  if (typeof args[0] !== 'string') throw new Error(`the first argument must be text or a list, got ${kindOf(args[0])}`);
  const text = textAt(args, 0);
  return position(text, text.indexOf(textAt(args, 1)));
}

function lastIndexOf(args: readonly unknown[]): number {
  const text = textAt(args, 0);
  return position(text, text.lastIndexOf(textAt(args, 1)));
}

function split(args: readonly unknown[]): string[] {
  const text = textAt(args, 0);
  const separator = textAt(args, 1);
  const parts = separator === '' ? [...text] : text.split(separator);
  charge(parts.length);
  if (args.length < 3) return parts;
  const most = integerAt(args, 2);
  if (most < 1) throw new Error('the third argument must be at least 1');
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function replace(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  const from = textAt(args, 1);
  const to = textAt(args, 2);
  const parts = from === '' ? ['', ...text, ''] : text.split(from);
  chargedText({ length: text.length + (parts.length - 1) * (to.length - from.length) } as string);
  return parts.join(to);
}

function replacePattern(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  const to = textAt(args, 2);
  // A replacement may be put in at each character: the bound is checked before the text is made.
  charge((text.length * (1 + (to.length >> 6))) >> 2);
  return chargedText(pattern(textAt(args, 1)).matcher(text).replaceAll(to));
}

function matches(args: readonly unknown[]): boolean {
  const text = textAt(args, 0);
  charge(text.length >> 2);
  return pattern(textAt(args, 1)).matcher(text).find();
}

function join(args: readonly unknown[]): string {
  const parts = listAt(args, 0).map(elementText);
  const separator = args.length > 1 ? textAt(args, 1) : '';
  chargedText({ length: parts.reduce((sum, part) => sum + part.length + separator.length, 0) } as string);
  return parts.join(separator);
}

const one = { least: 1, most: 1 };
const two = { least: 2, most: 2 };

export const TEXT_FUNCTIONS: readonly CelFunction[] = [
  {
    name: 'upper',
    signature: 'upper(text) → text',
    doc: 'In upper case.',
    ...one,
    returns: 'string',
    call: (args) => textAt(args, 0).toUpperCase(),
  },
  {
    name: 'lower',
    signature: 'lower(text) → text',
    doc: 'In lower case.',
    ...one,
    returns: 'string',
    call: (args) => textAt(args, 0).toLowerCase(),
  },
  {
    name: 'trim',
    signature: 'trim(text) → text',
    doc: 'Without white space at both ends.',
    ...one,
    returns: 'string',
    call: (args) => textAt(args, 0).trim(),
  },
  {
    name: 'split',
    signature: 'split(text, separator, most?) → list',
    doc: 'The parts between the separators; `""` gives the characters; `most` parts, the last with the rest.',
    least: 2,
    most: 3,
    returns: 'list',
    call: split,
  },
  {
    name: 'join',
    signature: 'join(list, separator?) → text',
    doc: 'The elements in one text; other values than text as JSON.',
    least: 1,
    most: 2,
    returns: 'string',
    call: join,
  },
  {
    name: 'replace',
    signature: 'replace(text, from, to) → text',
    doc: 'Each `from`, taken literally, becomes `to`.',
    least: 3,
    most: 3,
    returns: 'string',
    call: replace,
  },
  {
    name: 'replacePattern',
    signature: 'replacePattern(text, pattern, to) → text',
    doc: 'Each match of the RE2 pattern becomes `to`, in which `$1` stands for the first group.',
    least: 3,
    most: 3,
    returns: 'string',
    call: replacePattern,
  },
  {
    name: 'contains',
    signature: 'contains(text or list, part) → bool',
    doc: 'Whether the part is in the text, or the element in the list.',
    ...two,
    returns: 'bool',
    call: contains,
  },
  {
    name: 'startsWith',
    signature: 'startsWith(text, part) → bool',
    doc: 'Whether the text begins with the part.',
    ...two,
    returns: 'bool',
    call: (args) => textAt(args, 0).startsWith(textAt(args, 1)),
  },
  {
    name: 'endsWith',
    signature: 'endsWith(text, part) → bool',
    doc: 'Whether the text ends with the part.',
    ...two,
    returns: 'bool',
    call: (args) => textAt(args, 0).endsWith(textAt(args, 1)),
  },
  {
    name: 'matches',
    signature: 'matches(text, pattern) → bool',
    doc: 'Whether the RE2 pattern is found in the text; `^` and `$` bind it to the ends.',
    ...two,
    returns: 'bool',
    call: matches,
  },
  {
    name: 'substring',
    signature: 'substring(text, start, end?) → text',
    doc: 'The characters from `start`, counted from 0, to before `end`; a negative number counts from the end.',
    least: 2,
    most: 3,
    returns: 'string',
    call: (args) => slice(textAt(args, 0), integerAt(args, 1), args.length > 2 ? integerAt(args, 2) : undefined),
  },
  {
    name: 'padStart',
    signature: 'padStart(text, length, filling?) → text',
    doc: 'Filled up before the text, with spaces or the filling.',
    least: 2,
    most: 3,
    returns: 'string',
    call: (args) => chargedText(pad(args) + textAt(args, 0)),
  },
  {
    name: 'padEnd',
    signature: 'padEnd(text, length, filling?) → text',
    doc: 'Filled up behind the text, with spaces or the filling.',
    least: 2,
    most: 3,
    returns: 'string',
    call: (args) => chargedText(textAt(args, 0) + pad(args)),
  },
  {
    name: 'indexOf',
    signature: 'indexOf(list or text, part) → number',
    doc: 'Position of the first equal element or part, from 0; -1 where there is none.',
    ...two,
    returns: 'dyn',
    call: indexOf,
  },
  {
    name: 'lastIndexOf',
    signature: 'lastIndexOf(text, part) → number',
    doc: 'Position of the last such part, from 0; -1 where there is none.',
    ...two,
    returns: 'dyn',
    call: lastIndexOf,
  },
];
