import { jsonSize } from '../expression/jsonSize.ts';
import { valueAt } from '../fieldPath.ts';
import type { Json, JsonObject } from '../json.ts';
import { findMatches, PatternError, type Search } from './pattern.ts';
import { Pieces, ResultTooLarge } from './pieces.ts';
import { type Replacing, replaceMatches } from './replaceMatches.ts';

export type TextWork =
  | { kind: 'match'; inputs: Search & { all: boolean } }
  | { kind: 'replace'; inputs: Replacing }
  | { kind: 'template'; inputs: Filling }
  | { kind: 'join'; inputs: { items: readonly Json[]; separator: string } };

interface Filling {
  template: string;
  values: JsonObject;
  missing: 'fail' | 'empty' | 'keep';
}

export type TextResult = { output: Json } | { problem: { code: string; message: string } };

/** Charges the current evaluation (meter.ts) and counts result bytes before they are made. */
export function performText(work: TextWork, maxBytes: number): TextResult {
  try {
    switch (work.kind) {
      case 'match':
        return { output: matched(work.inputs, maxBytes) };
      case 'replace':
        return { output: replaceMatches(work.inputs, maxBytes) };
      case 'template':
        return filled(work.inputs, maxBytes);
      case 'join':
        return { output: joined(work.inputs, maxBytes) };
    }
  } catch (error) {
    if (error instanceof PatternError) return problem('INVALID_PATTERN', error.message);
    if (error instanceof ResultTooLarge) return problem('OUTPUT_TOO_LARGE', error.message);
    throw error;
  }
}

function problem(code: string, message: string): TextResult {
  return { problem: { code, message } };
}

/** The approximate size of a match as JSON, without its texts. */
const MATCH_BYTES = 50;

function matched({ all, ...search }: Search & { all: boolean }, maxBytes: number): JsonObject {
  const counted = new Pieces(maxBytes);
  const matches: Json[] = [];
  for (const { text, start, groups, named } of findMatches(search)) {
    const groupBytes = groups.reduce((sum, group) => sum + (group?.length ?? 4) + 3, 0);
    const namedBytes = Object.keys(named).reduce((sum, name) => sum + name.length + String(named[name]).length + 6, 0);
    counted.count(MATCH_BYTES + text.length + groupBytes + namedBytes);
    matches.push({ text, index: start, groups, named });
    if (!all) break;
  }
  return { matched: matches.length > 0, matches };
}

/** `{name}` or `{order.lines.0.sku}`; `\{name}` is literal. Other braces stay, so that JSON and CSS pass through. */
const PLACEHOLDER = /(\\?)\{([A-Za-z_][\w.-]*)\}/g;

/** Fills a template: texts as they are, null as an empty text, everything else as JSON. */
function filled({ template, values, missing }: Filling, maxBytes: number): TextResult {
  const pieces = new Pieces(maxBytes);
  const unknown = new Set<string>();
  let from = 0;
  for (const found of template.matchAll(PLACEHOLDER)) {
    const [whole, backslash, path = ''] = found;
    pieces.add(template.slice(from, found.index));
    from = found.index + whole.length;
    const value = backslash === '' ? valueAt(values, path) : whole.slice(1);
    if (value !== undefined) addValue(value, pieces);
    else {
      unknown.add(path);
      if (missing === 'keep') pieces.add(whole);
    }
  }
  pieces.add(template.slice(from));
  if (missing !== 'fail' || unknown.size === 0) return { output: pieces.join() };
  return problem('INVALID_INPUT', `values: the template names ${[...unknown].join(', ')}, which are missing`);
}

function joined({ items, separator }: { items: readonly Json[]; separator: string }, maxBytes: number): string {
  const pieces = new Pieces(maxBytes);
  for (const [index, item] of items.filter((each) => each !== null).entries()) {
    if (index > 0) pieces.add(separator);
    addValue(item, pieces);
  }
  return pieces.join();
}

function addValue(value: Json, pieces: Pieces): void {
  if (value === null) return;
  if (typeof value === 'string') pieces.add(value);
  else {
    if (jsonSize(value, pieces.left) > pieces.left) pieces.count(pieces.left + 1);
    pieces.add(JSON.stringify(value));
  }
}
