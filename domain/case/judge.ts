import type { ExecutionStatus } from '../execution/status.ts';
import { isEqualJson } from '../isEqualJson.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
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

/** An expectation that a case did not meet. `path` is the place in the case (domain/place.ts), such as `expect.output.refund`. */
export interface CaseFailure {
  path: string;
  message: string;
}

export function failuresOf(expected: Expectation, ran: Ran): CaseFailure[] {
  const { status, path, output, calls = {}, checks = [] } = expected;
  const failures = [...statusFailures(status, checks, ran)];
  if (path !== undefined && !isEqualJson(path, ran.path)) {
    failures.push({ path: 'expect.path', message: `path: expected ${list(path)}, saw ${list(ran.path)}` });
  }
  if (output !== undefined) failures.push(...differencesOf(OUTPUT, output, ran.output, true));
  for (const [place, wanted] of Object.entries(calls)) {
    const made = ran.calls[place] ?? [];
    const at = { path: pathTo('expect.calls', place), name: `calls.${place}` };
    if (made.length !== wanted.length) {
      const saw = made.length === 0 ? 'none' : `${made.length}: ${short(made)}`;
      failures.push({ path: at.path, message: `${at.name}: expected ${wanted.length} calls, saw ${saw}` });
      continue;
    }
    for (const [index, one] of wanted.entries()) {
      failures.push(...differencesOf(within(at, index), one, made[index] ?? null, false));
    }
  }
  for (const [index, check] of checks.entries()) {
    const problem = failedCheck(check, ran.seen);
    if (problem === undefined) continue;
    failures.push({ path: `expect.checks[${index}]`, message: `checks[${index}] ${check}: ${problem}` });
  }
  return failures;
}

/** The default expectation is COMPLETED, unless a check reads the error. */
function* statusFailures(
  status: ExecutionStatus | undefined,
  checks: readonly string[],
  ran: Ran,
): Iterable<CaseFailure> {
  if (ran.status === status) return;
  if (status === undefined && (ran.status === 'COMPLETED' || checks.some(namesError)) && ran.status !== 'NEEDS_INPUT')
    return;
  const why = ran.statusMessage === null ? '' : ` (${ran.statusMessage})`;
  yield { path: 'expect.status', message: `status: expected ${status ?? 'COMPLETED'}, saw ${ran.status}${why}` };
}

/** A value of the case: its place, and its name in messages, which shows keys as they are. */
interface At {
  path: string;
  name: string;
}

const OUTPUT: At = { path: 'expect.output', name: 'output' };

function within({ path, name }: At, key: string | number): At {
  return { path: pathTo(path, key), name: typeof key === 'number' ? `${name}[${key}]` : `${name}.${key}` };
}

/** Without `whole`, only the expected members of objects are compared, at every depth. */
function differencesOf(at: At, expected: Json, seen: Json, whole: boolean): CaseFailure[] {
  const failure = ({ path, name }: At, message: string): CaseFailure => ({ path, message: `${name}: ${message}` });
  if (isJsonObject(expected) && isJsonObject(seen)) {
    const keys = new Set([...Object.keys(expected), ...(whole ? Object.keys(seen) : [])]);
    return [...keys].flatMap((key) => {
      const [wanted, got] = [expected[key], seen[key]];
      const member = within(at, key);
      if (wanted === undefined) return [failure(member, `not expected, saw ${short(got)}`)];
      if (got === undefined) return [failure(member, `expected ${short(wanted)}, it is absent`)];
      return differencesOf(member, wanted, got, whole);
    });
  }
  if (Array.isArray(expected) && Array.isArray(seen) && expected.length === seen.length) {
    return expected.flatMap((wanted, index) => differencesOf(within(at, index), wanted, seen[index] ?? null, whole));
  }
  return isEqualJson(expected, seen) ? [] : [failure(at, `expected ${short(expected)}, saw ${short(seen)}`)];
}

const MAX_LENGTH = 300;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function list(ids: readonly string[]): string {
  return `[${ids.join(', ')}]`;
}
