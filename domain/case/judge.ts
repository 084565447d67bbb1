import type { ExecutionStatus } from '../execution/status.ts';
import { isEqualJson } from '../isEqualJson.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Expectation } from './caseFile.ts';
import { failedCheck, namesError, type Seen } from './checks.ts';

export interface Ran {
  status: ExecutionStatus;
  statusMessage: string | null;
  path: string[];
  output: Json;
  /** All calls, by the key of their expectation. */
  calls: Record<string, JsonObject[]>;
  seen: Seen;
}

export function problemsOf(expected: Expectation, ran: Ran): string[] {
  const { status, path, output, calls = {}, checks = [] } = expected;
  const problems = [...statusProblems(status, checks, ran)];
  if (path !== undefined && !isEqualJson(path, ran.path)) {
    problems.push(`path: expected ${list(path)}, saw ${list(ran.path)}`);
  }
  if (output !== undefined) {
    const differences = differencesOf('output', output, ran.output, true);
    problems.push(...differences);
  }
  for (const [place, wanted] of Object.entries(calls)) {
    const made = ran.calls[place] ?? [];
    if (made.length !== wanted.length) {
      const saw = made.length === 0 ? 'none' : `${made.length}: ${short(made)}`;
      problems.push(`calls.${place}: expected ${wanted.length} calls, saw ${saw}`);
      continue;
    }
    for (const [index, one] of wanted.entries()) {
      problems.push(...differencesOf(`calls.${place}[${index}]`, one, made[index] ?? null, false));
    }
  }
  for (const [index, check] of checks.entries()) {
    const problem = failedCheck(check, ran.seen);
    if (problem !== undefined) problems.push(`checks[${index}] ${check}: ${problem}`);
  }
  return problems;
}

/** The default expectation is COMPLETED, unless a check reads the error. */
function* statusProblems(status: ExecutionStatus | undefined, checks: readonly string[], ran: Ran): Iterable<string> {
  if (ran.status === status) return;
  if (status === undefined && (ran.status === 'COMPLETED' || checks.some(namesError)) && ran.status !== 'NEEDS_INPUT')
    return;
  const why = ran.statusMessage === null ? '' : ` (${ran.statusMessage})`;
  yield `status: expected ${status ?? 'COMPLETED'}, saw ${ran.status}${why}`;
}

/** Without `whole`, only the expected members of objects are compared, at every depth. */
function differencesOf(at: string, expected: Json, seen: Json, whole: boolean): string[] {
  if (isJsonObject(expected) && isJsonObject(seen)) {
    const keys = new Set([...Object.keys(expected), ...(whole ? Object.keys(seen) : [])]);
    return [...keys].flatMap((key) => {
      const [wanted, got] = [expected[key], seen[key]];
      if (wanted === undefined) return [`${at}.${key}: not expected, saw ${short(got)}`];
      if (got === undefined) return [`${at}.${key}: expected ${short(wanted)}, it is absent`];
      return differencesOf(`${at}.${key}`, wanted, got, whole);
    });
  }
  if (Array.isArray(expected) && Array.isArray(seen) && expected.length === seen.length) {
    return expected.flatMap((wanted, index) => differencesOf(`${at}[${index}]`, wanted, seen[index] ?? null, whole));
  }
  return isEqualJson(expected, seen) ? [] : [`${at}: expected ${short(expected)}, saw ${short(seen)}`];
}

const MAX_LENGTH = 300;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function list(ids: readonly string[]): string {
  return `[${ids.join(', ')}]`;
}
