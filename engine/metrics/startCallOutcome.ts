/** `known`: the engine had the execution already. */
export const START_CALL_OUTCOMES = ['started', 'known', 'refused', 'unanswered'] as const;
export type StartCallOutcome = (typeof START_CALL_OUTCOMES)[number];
