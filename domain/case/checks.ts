import { Duration } from '@marcbachmann/cel-js/evaluator';
import { asUnit } from '../expression/meter.ts';
import { expressionEnvironment, withOurFunctions } from '../expression/program.ts';
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

const ENVIRONMENT = expressionEnvironment({
  ...Object.fromEntries(NAMES.map((name) => [name, 'dyn'])),
  duration: 'google.protobuf.Duration',
});

/** Why it is no check; undefined if it is one. */
export function checkProblem(text: string): string | undefined {
  try {
    compiled(text);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

function compiled(text: string): (seen: Record<string, unknown>) => unknown {
  return withOurFunctions(ENVIRONMENT.parse(text));
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
    const check = compiled(text);
    const value = asUnit(() => check({ ...rest, duration }));
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
