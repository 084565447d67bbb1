import { fileURLToPath } from 'node:url';

/** A history of each is kept and replayed: kinds are added, and what was recorded stays. */
export const KINDS = [
  'inline',
  'remote',
  'retry',
  'inputSubmitted',
  'inputSettled',
  'inputExpired',
  'inputThenLong',
  'parallelJoin',
  'errorRoute',
  'failure',
  'stopWithOpenBranches',
  'cancelled',
  'adHoc',
  'forEach',
  'forEachInChildren',
  'forEachInFewLanes',
  'iterations',
  'forEachBounded',
  'dividedShare',
  'loopInRegion',
  'repeat',
  'delay',
  'loopCancelled',
  'runWorkflow',
  'retried',
  'timedOut',
  'scheduled',
  'polled',
  'nodeTest',
  'held',
  'questionsInLoop',
  'everyControl',
  'resetCaller',
  'resetLoop',
  'overflowed',
  'unsentCancelled',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The interpreter's present version, in the names of what is recorded. Named anew when executions begin in another way
 * (an argument more, a `patched()`), all kinds are recorded again; what earlier versions recorded is kept and replayed.
 */
export const VERSION = 'mayOverflow';

export function historyFile(kind: Kind): string {
  return `${kind}.${VERSION}.json`;
}

export const HISTORIES = fileURLToPath(new URL('../../temporal-workflows/histories/', import.meta.url));
