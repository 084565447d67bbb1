/** The entry point that a worker registers: the exported functions are the workflow types. */
export { agentTurn } from './agentTurn.ts';
export { caseTimer } from './caseTimer.ts';
export { ingestDocument } from './ingestDocument.ts';
export { runExecution } from './runExecution.ts';
export { runPart } from './runPart.ts';
export { runPoll } from './runPoll.ts';
export { runScheduled } from './runScheduled.ts';
export { testNode } from './testNode.ts';
