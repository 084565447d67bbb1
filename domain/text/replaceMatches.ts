import { charge } from '../expression/meter.ts';
import { findMatches, type PatternMatch, type Search } from './pattern.ts';
import { Pieces } from './pieces.ts';

export interface Replacing extends Search {
  replacement: string;
  literal: boolean;
  all: boolean;
}

/** If `literal` is set, neither the pattern nor the replacement has special characters. */
export function replaceMatches({ replacement, literal, all, ...search }: Replacing, maxBytes: number): string {
  const pieces = new Pieces(maxBytes);
  if (literal && !search.ignoreCase) return replaceLiteral(search.text, search.pattern, replacement, all, pieces);
  const { text, pattern } = search;
  let from = 0;
  for (const found of findMatches({ ...search, pattern: literal ? quote(pattern) : pattern })) {
    pieces.add(text.slice(from, found.start));
    if (literal) pieces.add(replacement);
    else expand(replacement, found, pieces);
    from = found.end;
    if (!all) break;
  }
  pieces.add(text.slice(from));
  return pieces.join();
}

function replaceLiteral(text: string, part: string, to: string, all: boolean, pieces: Pieces): string {
  // In the worst case V8 needs time proportional to the product of both lengths, and nothing can interrupt it.
  charge(Math.ceil((text.length * part.length) / 128));
  let from = 0;
  for (let at = text.indexOf(part); at !== -1; at = all ? text.indexOf(part, from) : -1) {
    pieces.add(text.slice(from, at), to);
    from = at + part.length;
  }
  pieces.add(text.slice(from));
  return pieces.join();
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** `$1` and `${name}` are groups, `$0` is the whole match, `$$` a dollar sign. Everything else stays. */
function expand(replacement: string, found: PatternMatch, pieces: Pieces): void {
  let from = 0;
  for (const named of replacement.matchAll(/\$(?:(\$)|(\d{1,2})|\{(\w+)\})/g)) {
    const [whole, dollar, number, name] = named;
    pieces.add(replacement.slice(from, named.index), dollar ?? groupOf(found, whole, number, name));
    from = named.index + whole.length;
  }
  pieces.add(replacement.slice(from));
}

function groupOf(found: PatternMatch, whole: string, number: string | undefined, name = ''): string {
  if (number === undefined) return Object.hasOwn(found.named, name) ? String(found.named[name] ?? '') : whole;
  if (Number(number) === 0) return found.text;
  return Number(number) <= found.groups.length ? (found.groups[Number(number) - 1] ?? '') : whole;
}
