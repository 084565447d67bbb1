import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { repeatedSize } from '../expression/functions/repeatedSize.ts';
import { charge, chargeAtWorst } from '../expression/meter.ts';
import type { JsonObject } from '../json.ts';

export interface Search {
  text: string;
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
}

/** The pattern is unusable. The message is for the workflow's author. */
export class PatternError extends Error {}

export interface PatternMatch {
  start: number;
  end: number;
  text: string;
  /** Without the whole match; null for a group that did not match. */
  groups: (string | null)[];
  named: JsonObject;
}

/** RE2 searches most patterns with an automaton, which makes them this much cheaper than the worst case. */
const OFTEN_CHEAPER = 16;

/**
 * RE2: each match takes linear time, a thousand may not, so each charges for the remaining text. Throws PatternError.
 */
export function* findMatches(search: Search): Generator<PatternMatch> {
  const program = compile(search);
  const names = Object.entries(program.namedGroups() as Record<string, number>);
  const matcher = program.matcher(search.text);
  const size = program.programSize();
  const searched = (from: number) => {
    const worst = 5 + ((search.text.length - from) * size) / 4;
    chargeAtWorst(worst, from === 0 ? worst / OFTEN_CHEAPER : 5);
  };
  searched(0);
  while (matcher.find()) {
    yield readMatch(matcher, names);
    searched(matcher.end(0));
  }
}

function compile({ pattern, ignoreCase, multiline, dotAll }: Search): RE2JS {
  const flags =
    (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0) | (dotAll ? RE2JS.DOTALL : 0);
  charge(pattern.length + (repeatedSize(pattern) << 6));
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PatternError(`pattern: ${error.message.replace('error parsing regexp: ', '')}`);
  }
}

function readMatch(matcher: Matcher, names: [string, number][]): PatternMatch {
  const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1));
  return {
    start: matcher.start(0),
    end: matcher.end(0),
    text: matcher.group(0) ?? '',
    groups,
    named: Object.fromEntries(names.map(([name, index]) => [name, groups[index - 1] ?? null])),
  };
}
