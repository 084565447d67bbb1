import { fileURLToPath } from 'node:url';

/** A history of each is kept and replayed: kinds are added, and what was recorded stays. */
export const KINDS = [
  'inline',
  'remote',
  'retry',
  'inputSubmitted',
  'inputSettled',
  'inputExpired',
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
] as const;
export type Kind = (typeof KINDS)[number];

export const HISTORIES = fileURLToPath(new URL('../../temporal-workflows/histories/', import.meta.url));
