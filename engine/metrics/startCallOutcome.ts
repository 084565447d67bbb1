/** The outcome of a call that starts an execution in the engine. `known`: the engine had it already. */
export const START_CALL_OUTCOMES = ['started', 'known', 'refused', 'unanswered'] as const;
export type StartCallOutcome = (typeof START_CALL_OUTCOMES)[number];
