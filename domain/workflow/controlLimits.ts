import { isJsonObject, type Json } from '../json.ts';

// Limits of the inputs of control nodes. Constants are checked when a workflow is stored, expressions when the node
// runs.

/** Ten years: a question may wait as long as a business does, but timers need an end. */
export const MAX_MS = 315_360_000_000;
/** Iterations of one loop at once. */
export const MAXIMUM_CONCURRENCY = 100;
/** Iterations of one loop, all in all. */
export const MAXIMUM_ITERATIONS = 100_000;
/** Default maximumIterations of `repeat` with `while` or `until`. */
export const DEFAULT_ITERATIONS = 1_000;
/** Submissions that one question may ask for. */
export const MAXIMUM_APPROVALS = 100;
/** Executions that start each other, the first included. */
export const MAXIMUM_DEPTH = 10;

export function isWhole(value: Json | undefined, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** The items of a forEach: the entries of a list, or the members of an object. */
export function isCollection(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return Array.isArray(value) || isJsonObject(value);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** ISO 8601 with its offset from UTC: a time that means the same everywhere. */
export function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}
