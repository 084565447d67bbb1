import { Duration } from '@marcbachmann/cel-js/evaluator';
import { asUnit } from '../expression/meter.ts';
import { expressionEnvironment, withOurFunctions } from '../expression/program.ts';
import type { Json } from '../json.ts';

export interface Seen {
  output: Json;
  /** Outputs of the execution's own steps by node id; for a node in a loop, that of its last iteration. */
  steps: Record<string, Json>;
  calls: Record<string, Json>;
  /** The virtual time from start to end. */
  durationMs: number;
  error: Json;
}

const NAMES = ['output', 'steps', 'calls', 'error'];

const ENVIRONMENT = expressionEnvironment({
  ...Object.fromEntries(NAMES.map((name) => [name, 'dyn'])),
  duration: 'google.protobuf.Duration',
});

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

export function namesError(text: string): boolean {
  return /\berror\b/.test(text);
}

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
