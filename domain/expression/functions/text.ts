import { charge, chargeList, chargeText } from '../meter.ts';
import { chargedJson } from '../result.ts';
import { chargedText, integerAt, kindOf, listAt, textAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';
import { characters, countOf, sliceOf } from './characters.ts';
import { equal } from './order.ts';
import { isFound, replaced } from './pattern.ts';

function position(text: string, unit: number): number {
  return unit <= 0 ? unit : countOf(text.slice(0, unit));
}

/** In the worst case V8 needs time proportional to the product of both lengths, and nothing can interrupt it. */
function chargeSearch(text: string, part: string): void {
  charge(Math.ceil((text.length * part.length) / 128));
}

/** Splits a text. Native split() would make all parts before they can be counted. */
function partsOf(text: string, separator: string): string[] {
  if (separator === '') return characters(text);
  chargeSearch(text, separator);
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, from)) {
    parts.push(text.slice(from, at));
    chargeList(1);
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function pad(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  const filling = args.length > 2 ? textAt(args, 2) : ' ';
  const missing = integerAt(args, 1) - countOf(text);
  if (missing <= 0) return '';
  if (filling === '') throw new Error('the third argument must not be empty');
  chargeText(missing);
  return sliceOf(filling.repeat(Math.ceil(missing / countOf(filling))), 0, missing);
}

function elementText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(chargedJson(value));
}

function contains(args: readonly unknown[]): boolean {
  if (Array.isArray(args[0])) return listAt(args, 0).some((item) => equal(item, args[1]));
  if (typeof args[0] !== 'string') throw new Error(`the first argument must be text or a list, got ${kindOf(args[0])}`);
  const text = textAt(args, 0);
  const part = textAt(args, 1);
  chargeSearch(text, part);
  return text.includes(part);
}

function indexOf(args: readonly unknown[]): number {
  if (Array.isArray(args[0])) return listAt(args, 0).findIndex((item) => equal(item, args[1]));
  if (typeof args[0] !== 'string') throw new Error(`the first argument must be text or a list, got ${kindOf(args[0])}`);
  const text = textAt(args, 0);
  const part = textAt(args, 1);
  chargeSearch(text, part);
  return position(text, text.indexOf(part));
}

function lastIndexOf(args: readonly unknown[]): number {
  const text = textAt(args, 0);
  const part = textAt(args, 1);
  chargeSearch(text, part);
  return position(text, text.lastIndexOf(part));
}

function split(args: readonly unknown[]): string[] {
  const text = textAt(args, 0);
  const separator = textAt(args, 1);
  const parts = partsOf(text, separator);
  if (args.length < 3) return parts;
  const most = integerAt(args, 2);
  if (most < 1) throw new Error('the third argument must be at least 1');
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function replace(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  const from = textAt(args, 1);
  const to = textAt(args, 2);
  const parts = from === '' ? ['', ...characters(text), ''] : partsOf(text, from);
  chargeText(text.length + (parts.length - 1) * (to.length - from.length));
  return parts.join(to);
}

function replacePattern(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  return replaced(textAt(args, 1), text, textAt(args, 2));
}

function matches(args: readonly unknown[]): boolean {
  const text = textAt(args, 0);
  return isFound(textAt(args, 1), text);
}

function join(args: readonly unknown[]): string {
  const parts = listAt(args, 0).map(elementText);
  const separator = args.length > 1 ? textAt(args, 1) : '';
  chargeText(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
  return parts.join(separator);
}

function cased(args: readonly unknown[], change: (text: string) => string): string {
  const text = textAt(args, 0);
  charge(text.length >> 3);
  return chargedText(change(text));
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
    call: (args) => cased(args, (text) => text.toUpperCase()),
  },
  {
    name: 'lower',
    signature: 'lower(text) → text',
    doc: 'In lower case.',
    ...one,
    returns: 'string',
    call: (args) => cased(args, (text) => text.toLowerCase()),
  },
  {
    name: 'trim',
    signature: 'trim(text) → text',
    doc: 'Without white space at both ends.',
    ...one,
    returns: 'string',
    call: (args) => chargedText(textAt(args, 0).trim()),
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
    doc: 'Replaces each match of the RE2 pattern by `to`, in which `$1` is the first group.',
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
    call: (args) => sliceOf(textAt(args, 0), integerAt(args, 1), args.length > 2 ? integerAt(args, 2) : undefined),
  },
  {
    name: 'padStart',
    signature: 'padStart(text, length, filling?) → text',
    doc: 'Pads the start of the text with spaces or the filling.',
    least: 2,
    most: 3,
    returns: 'string',
    call: (args) => chargedText(pad(args) + textAt(args, 0)),
  },
  {
    name: 'padEnd',
    signature: 'padEnd(text, length, filling?) → text',
    doc: 'Pads the end of the text with spaces or the filling.',
    least: 2,
    most: 3,
    returns: 'string',
    call: (args) => chargedText(textAt(args, 0) + pad(args)),
  },
  {
    name: 'indexOf',
    signature: 'indexOf(list or text, part) → number',
    doc: 'Position of the first equal element or part, from 0; -1 if there is none.',
    ...two,
    returns: 'dyn',
    call: indexOf,
  },
  {
    name: 'lastIndexOf',
    signature: 'lastIndexOf(text, part) → number',
    doc: 'Position of the last such part, from 0; -1 if there is none.',
    ...two,
    returns: 'dyn',
    call: lastIndexOf,
  },
];
