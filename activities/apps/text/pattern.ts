import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';

/** Characters of text times instructions of the program: what one search may cost at worst, about a second. */
const MOST_WORK = 50_000_000;
/** One search is linear, a thousand of them over the same text need not be. */
const SEARCH_BUDGET_MS = 2_000;

export const patternInputs = {
  text: z.string().default(''),
  pattern: z.string().min(1).max(1_000),
  ignoreCase: z.boolean().default(false),
  multiline: z.boolean().default(false),
  dotAll: z.boolean().default(false),
};

/** The pattern cannot be used, or not on this text; the message is for the workflow's author. */
export class PatternError extends Error {
  readonly code: 'INVALID_PATTERN' | 'PATTERN_TOO_SLOW';

  constructor(code: PatternError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface PatternMatch {
  start: number;
  end: number;
  text: string;
  /** Without the whole; null for a group that took no part. */
  groups: (string | null)[];
  named: JsonObject;
}

/**
 * Matches from left to right in linear time (RE2: no backreferences, no look-around), so that no pattern and no text
 * that a webhook brings can hold the worker. Throws PatternError.
 */
export function* findMatches(inputs: {
  text: string;
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
}): Generator<PatternMatch> {
  const program = compile(inputs);
  if (inputs.text.length * program.programSize() > MOST_WORK) {
    throw new PatternError('PATTERN_TOO_SLOW', 'The text is too long for so large a pattern.');
  }
  const names = Object.entries(program.namedGroups() as Record<string, number>);
  const matcher = program.matcher(inputs.text);
  const deadline = performance.now() + SEARCH_BUDGET_MS;
  while (matcher.find()) {
    yield readMatch(matcher, names);
    if (performance.now() > deadline) {
      throw new PatternError('PATTERN_TOO_SLOW', `The search took longer than ${SEARCH_BUDGET_MS} ms.`);
    }
  }
}

function compile(inputs: { pattern: string; ignoreCase: boolean; multiline: boolean; dotAll: boolean }): RE2JS {
  const flags =
    (inputs.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (inputs.multiline ? RE2JS.MULTILINE : 0) |
    (inputs.dotAll ? RE2JS.DOTALL : 0);
  try {
    return RE2JS.compile(inputs.pattern, flags);
  } catch (error) {
    if (error instanceof RE2JSException) {
      throw new PatternError('INVALID_PATTERN', `pattern: ${error.message.replace('error parsing regexp: ', '')}`);
    }
    throw error;
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
