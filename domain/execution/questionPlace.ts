/** Identifies a question: a node of an execution, in one iteration (iteration.ts; empty outside loops). */
export interface QuestionPlace {
  executionId: string;
  nodeId: string;
  iteration: string;
}

/** Returns the link for answering a question, for callers who may read the execution. */
export type LinkOf = (place: QuestionPlace) => string;
