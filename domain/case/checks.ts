import { Environment } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import type { Json } from '../json.ts';

/** What the checks of a case look at. */
export interface Seen {
  output: Json;
  /** By node id, of the execution itself; of a node in a loop its last iteration. */
  steps: Record<string, Json>;
  /** By node, as in `calls`. */
  calls: Record<string, Json>;
  /** Of the virtual time from start to end. */
  durationMs: number;
  /** {code, message}; null where it did not fail. */
  error: Json;
}

const NAMES = ['output', 'steps', 'calls', 'error'];

function celEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  for (const name of NAMES) environment.registerVariable(name, 'dyn');
  environment.registerVariable('duration', 'google.protobuf.Duration');
  // Numbers of JSON beside whole numbers of the expression, as in expressions of workflows.
  const mixed: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
  };
  for (const [sign, work] of Object.entries(mixed)) {
    const apply = (a: unknown, b: unknown) => work(Number(a), Number(b));
    environment.registerOperator(`double ${sign} int: double`, apply);
    environment.registerOperator(`int ${sign} double: double`, apply);
  }
  return environment;
}

const ENVIRONMENT = celEnvironment();

/** Why it is no check; undefined where it is one. */
export function checkProblem(text: string): string | undefined {
  try {
    const checked = ENVIRONMENT.parse(text).check();
    return checked.valid ? undefined : firstLine(checked.error);
  } catch (error) {
    return firstLine(error);
  }
}

/** Whether a check speaks of the error with which an execution ends. */
export function namesError(text: string): boolean {
  return /\berror\b/.test(text);
}

/** What is wrong; undefined where it is true. */
export function failedCheck(text: string, seen: Seen): string | undefined {
  const { durationMs, ...rest } = seen;
  const seconds = Math.floor(durationMs / 1_000);
  const duration = new Duration(BigInt(seconds), Math.round((durationMs - 1_000 * seconds) * 1_000_000));
  try {
    const value: unknown = ENVIRONMENT.parse(text)({ ...rest, duration });
    return value === true ? undefined : `expected true, it is ${shown(value)}`;
  } catch (error) {
    return firstLine(error);
  }
}

function shown(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
