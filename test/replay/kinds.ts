import { fileURLToPath } from 'node:url';

/** Kinds of executions whose history is recorded and replayed. */
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
  'dividedSlice',
  'loopInRegion',
  'repeat',
  'delay',
  'loopCancelled',
  'loopTooLarge',
  'runWorkflow',
  'retried',
  'retriedLoop',
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
  'attemptsElsewhere',
  'loopElsewhere',
  'onWorker',
  'agentTurn',
  'agentTurnApproved',
  'agentTurnStopped',
  'agentTurnNamed',
  'agentTurnCallsAgent',
  'agentTurnCallsAsking',
  'agentTurnMcp',
  'agentTurnContinues',
  'agentTurnContinued',
  'agentRun',
  'agentRunApproved',
  'agentRunOfAsking',
  'agentRunWithdrawn',
  'ingestDocument',
  'ingestDocumentRetried',
  'ingestDocumentRefused',
] as const;
export type Kind = (typeof KINDS)[number];

/** Histories of a release are in a folder with its name and are never recorded again (CONTRIBUTING.md). */
export function historyFile(kind: Kind): string {
  return `${kind}.json`;
}

export const HISTORIES = fileURLToPath(new URL('../../temporal-workflows/histories/', import.meta.url));
