import { isJsonObject, type Json } from '../json.ts';

// Constants are checked when a workflow is stored, expressions when the node runs.

/** Ten years. A question may wait for a long business process, but a timer needs a limit. */
export const MAX_MS = 315_360_000_000;
export const MAXIMUM_CONCURRENCY = 100;
export const MAXIMUM_ITERATIONS = 100_000;
/** Default maximumIterations of `repeat` with `while` or `until`. */
export const DEFAULT_ITERATIONS = 1_000;
export const MAXIMUM_APPROVALS = 100;
/** Length of a chain of executions that start each other, including the first. */
export const MAXIMUM_DEPTH = 10;

export function isWhole(value: Json | undefined, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** Returns true for a value that forEach can iterate: a list, or an object with its members. */
export function isCollection(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return Array.isArray(value) || isJsonObject(value);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** ISO 8601 with an offset from UTC, so that it means the same moment everywhere. */
export function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}
